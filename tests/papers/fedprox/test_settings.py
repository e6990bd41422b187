"""Appendix E's settings: their arithmetic, and how small L must be for their step sizes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fedproof.bounds import catalog
from fedproof.bounds.statement import PaperSetting
from fedproof.validate.settings import judge_setting

FOUND = {s.where: s for s in catalog.settings("fedprox")}
DATA = ("MNIST", "FEMNIST", "Sent140")


def setting(where: str) -> PaperSetting:
    """The setting that stands there."""
    return FOUND[where]


@pytest.mark.parametrize("data", DATA)
def test_the_training_samples_are_the_stated_part_of_all(data: str) -> None:
    """Table 2's training samples are 90 or 80 per cent of the samples, rounded."""
    values = dict(setting(f"Table 2, {data}").extra)

    assert int(values["train_samples"]) == round(Fraction(values["train"]) * int(values["samples"]))


@pytest.mark.parametrize("data", DATA)
def test_eta_is_one_over_mu(data: str) -> None:
    """The step size of the theorems is the inverse of Table 3's strength of regularisation."""
    found = setting(f"Table 3, {data}")

    assert Fraction(dict(found.parameters)["eta"]) * Fraction(dict(found.extra)["mu"]) == 1


@pytest.mark.parametrize("data", DATA)
def test_the_step_sizes_need_a_small_smoothness(data: str) -> None:
    """Theorem 1's proof asks for L <= 1/(3 eta), its printed step for T^(-1/3) of that at most."""
    found = setting(f"Table 3, {data}")
    values = dict(found.parameters)
    general, printed = judge_setting(found)

    assert (general.admissible, printed.admissible) == (True, True)
    assert f"L <= 1/{3 * int(values['eta'])}," in general.detail
    most = float(printed.detail.split("about ")[1].split(",")[0])
    assert most == pytest.approx(float(values["T"]) ** (-1 / 3) / (3 * float(values["eta"])), rel=1e-3)


def test_the_text_and_the_captions_disagree_on_sent140() -> None:
    """The text has minibatches of 75 samples where the captions of both figures have 70."""
    batches = {w: dict(s.parameters)["b"] for w, s in FOUND.items() if "FedMSPP on Sent140" in w}

    assert sorted(batches.values()) == ["20", "50", "70", "75"]
    assert [w.split(",")[0] for w, b in batches.items() if b == "70"] == ["Figs. 1(c) and 2(c)"]


def test_mnist_is_run_with_all_samples_of_a_device_at_a_time() -> None:
    """Table 3's local minibatch on MNIST is a device's share of the training samples, 567."""
    table2, table3 = dict(setting("Table 2, MNIST").extra), dict(setting("Table 3, MNIST").extra)

    assert int(table2["train_samples"]) == int(table2["clients"]) * int(table3["local_batch_size"])
