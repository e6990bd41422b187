"""Work on a Dask cluster that is named by its scheduler's address; results come back as they finish."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from fedproof.solvers.runs.run_store import made_with
from fedproof.vocabulary.errors import ClusterLost, InputError

T = TypeVar("T")

#: seconds that the scheduler, and then a first worker, may take to answer
PATIENCE = 10
#: pieces of work that are sent ahead for each worker, so that none waits for this process
AHEAD = 3
#: seconds between two looks at who is there, and without any worker until the cluster counts as lost
LOOK, ALONE = 2.0, 60.0
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):\d{1,5}")
_SOURCES = {"algorithm": "a source of the algorithm", "source": "a source of problems and drivers"}


@dataclass(frozen=True)
class Cluster:
    """Processes elsewhere that do work as this one would.

    Arguments:
        address: of the scheduler.
        client: the connection.
    """

    address: str
    client: Any = field(repr=False)

    def done(
        self, work: Callable[..., T], pieces: Iterable[tuple[str, tuple[Any, ...]]], alone: float = ALONE
    ) -> Iterator[T]:
        """The results of all pieces of work, each as soon as it is there.

        Few more are sent than there are workers. A piece whose worker died is done by another one.

        Arguments:
            work: a function of a module that the workers have too.
            pieces: of each, the algorithm that it runs and the arguments of `work`.
            alone: seconds without any worker until the cluster counts as lost.

        Raises: ClusterLost where scheduler or workers are gone; InputError for a worker that is not as this
            process; what `work` raises.
        """
        ready: SimpleQueue[Any] = SimpleQueue()
        waiting = iter(pieces)
        out: dict[str, Any] = {}
        most, looked = self._ahead(), monotonic()
        while True:
            if monotonic() - looked > LOOK:
                most, looked = self._ahead(), monotonic()
            while len(out) < most and (piece := next(waiting, None)) is not None:
                algorithm, arguments = piece
                future = self._sent(_there, algorithm, made_with(algorithm), work, *arguments)
                out[future.key] = future
                future.add_done_callback(ready.put)
            if not out:
                return
            future = self._next(ready, alone)
            del out[future.key]
            yield self._answer(future)

    def shared(self, value: T) -> T:
        """A large value that several pieces of work take: sent once, and again where its holder died."""
        held: T = self._sent(_itself, value)
        return held

    def _sent(self, work: Callable[..., Any], *arguments: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large arguments, which are meant
            return self.client.submit(work, *arguments, pure=False)

    def _ahead(self) -> int:
        return AHEAD * max(1, len(self._workers()))

    def _workers(self) -> Mapping[str, int]:
        """The threads of each worker by its address."""
        try:
            found: Mapping[str, int] = self.client.nthreads()
        except Exception as error:  # of many kinds, by where the connection broke
            raise self._lost() from error
        return found

    def _next(self, ready: SimpleQueue[Any], alone: float) -> Any:
        """Wait for a result, as long as somebody is at work."""
        since = None
        while True:
            try:
                return ready.get(timeout=LOOK)
            except Empty:
                if self.client.status != "running":
                    raise self._lost() from None
            since = None if self._workers() else since or monotonic()
            if since and monotonic() - since > alone:
                raise ClusterLost(self.address, f"no worker for {alone:.0f} s")

    def _answer(self, future: Any) -> Any:
        from distributed import CancelledError, KilledWorker

        try:
            return future.result()
        except CancelledError:
            raise self._lost() from None
        except KilledWorker as error:
            what = "a run at which worker after worker died"
            raise InputError(self.address, what, "one that they survive", "give them more memory") from error
        except ModuleNotFoundError as error:
            what = f"a worker without {error.name}"
            raise InputError(self.address, what, "workers with what is here", "install it there") from error

    def _lost(self) -> ClusterLost:
        return ClusterLost(self.address, "the scheduler is gone")


@contextmanager
def cluster(scheduler: str) -> Iterator[Cluster]:
    """A connection to the cluster of a scheduler.

    Arguments:
        scheduler: its address, such as tcp://192.0.2.1:8786. Its answers are unpickled: name one you trust.

    Raises: InputError where it is no address, Dask is missing, or nobody answers within `PATIENCE` seconds.

    >>> with cluster("8786"):
    ...     pass
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.InputError: scheduler: got 8786, expected an address; write tcp://HOST:PORT
    """
    if not isinstance(scheduler, str) or not _ADDRESS.fullmatch(scheduler):
        raise InputError("scheduler", scheduler, "an address", "write tcp://HOST:PORT")
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError("scheduler", scheduler, "Dask", "pip install 'fedproof[dask]'") from None
    with _silent():
        client = _connected(scheduler)
        try:
            _first_worker(client, scheduler)
            yield Cluster(scheduler, client)
        finally:
            client.close(timeout=2)


def _connected(scheduler: str) -> Any:
    """A connection; made in a thread, as Dask waits for ever for who takes a connection and says nothing."""
    from distributed import Client

    made: SimpleQueue[Any] = SimpleQueue()

    def connect() -> None:
        try:
            made.put(Client(scheduler, timeout=PATIENCE, set_as_default=False))
        except Exception as error:  # of many kinds, by what answers there
            made.put(error)

    Thread(target=connect, daemon=True).start()
    try:
        found = made.get(timeout=PATIENCE + 1)
    except Empty:
        found = TimeoutError()
    if isinstance(found, Exception):
        what = f"no scheduler there in {PATIENCE} s"
        cure = "start one with dask scheduler, or mend the address"
        raise InputError(scheduler, what, "one that answers", cure) from found
    return found


def _first_worker(client: Any, scheduler: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        cure = f"start one with dask worker {scheduler} --nthreads 1"
        raise InputError(scheduler, f"no worker in {PATIENCE} s", "at least one", cure) from None


@contextmanager
def _silent() -> Iterator[None]:
    """What Dask says of its connections is said in one line by whoever has lost one."""
    names = [n for n in logging.root.manager.loggerDict if n.partition(".")[0] in ("distributed", "tornado")]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions, which are compared before any work
            yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _itself(value: T) -> T:
    return value


def _there(algorithm: str, expected: Mapping[str, str], work: Callable[..., T], *arguments: Any) -> T:
    """Done by a worker, where it is as the process that asks; else it says in what it is not."""
    from distributed import get_worker

    worker = get_worker()
    where = f"worker {worker.address}"
    threads = worker.state.nthreads
    if threads != 1:
        raise InputError(where, f"{threads} threads", "1", "start it with --nthreads 1")
    ours = made_with(algorithm)
    unlike = [name for name in ours if expected.get(name) != ours[name]]
    if unlike:
        theirs, here = (
            ", ".join(_SOURCES.get(n, f"{n} {told.get(n)}") for n in unlike) for told in (ours, expected)
        )
        raise InputError(where, theirs, f"as here: {here}", _cure(unlike, expected))
    return work(*arguments)


def _cure(unlike: Sequence[str], expected: Mapping[str, str]) -> str:
    if unlike == ["blas"]:
        return f"set OPENBLAS_CORETYPE={expected['blas'].rpartition(' ')[2]} there, where its core can be it"
    return "install there what is here"
