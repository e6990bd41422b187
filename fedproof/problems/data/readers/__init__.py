"""Readers, one file each, discovered by file name: `ENDINGS`, and `read(path)` or `table(path, options)`.

`read` gives a `Raw`; `table` a `Table` with named columns, of which the options client, label and ignore
speak. `claims(path)` says whether a path of another ending is one's; without it none is. `files(path)` names
all that is read for a path; without it that is the path alone.
"""
