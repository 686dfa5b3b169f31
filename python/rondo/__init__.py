"""Rondo finds melodies that resemble a melody, and measures how well any system does so.

>>> import rondo
>>> tunes = rondo.read("data/demo")
>>> rondo.similarity(tunes[0], tunes[5], "shapeh") < rondo.similarity(tunes[0], tunes[0], "shapeh")
True
"""

from rondo import _notebook
from rondo import _rondo
from rondo._concordances import Concordances
from rondo._rondo import (
    Alignment,
    Collection,
    Error,
    Hit,
    Line,
    Melody,
    Query,
    Step,
    __version__,
    align,
    compare,
    concordances,
    convert,
    evaluate,
    features,
    matrix,
    measures,
    read,
    read_query,
    read_run,
    read_truth,
    scores,
    similarity,
    systems,
    truth_from_labels,
    truth_from_votes,
    write_run,
    write_truth,
)


_notebook.install(_rondo)


class Hits(list):
    """The hits of a search, best first: a list that notebooks show as a table.

    ``pandas.DataFrame(hits)`` has a column for each attribute of Hit. The list also counts the melodies that
    were ``compared``, were ``not_reached`` before the search was stopped, are ``too_short`` for the system, or were
    ``filtered_out`` by the conditions of the search.

    >>> with rondo.Collection("out/python.db", "create") as tunes:
    ...     summary = tunes.import_files("data/demo")
    ...     hits = tunes.search("C4 D4 E4 C4", k=2)
    >>> [hit.rank for hit in hits]
    [1, 2]
    >>> hits.compared > 2, hits.filtered_out
    (True, 0)
    """

    def __init__(self, hits=(), *, compared=0, not_reached=0, too_short=0, filtered_out=0):
        super().__init__(hits)
        self.compared = compared
        self.not_reached = not_reached
        self.too_short = too_short
        self.filtered_out = filtered_out

    def _repr_html_(self):
        return _notebook.hits_html(self)


class Truth(dict):
    """A ground truth: {query: {document: grade}}, with properties of the whole truth.

    A plain dict works wherever a truth is expected; this class also records whether documents that it does not name
    are known not to be relevant (``complete``), whether a query is removed from its own result list
    (``query_excluded``), and how many documents can be retrieved (``collection_size``; 0: not known).

    >>> rondo.Truth({"q": {"a": 2, "b": 1}}, complete=True).complete
    True
    """

    def __init__(self, queries=(), *, complete=False, query_excluded=False, collection_size=0):
        super().__init__(queries)
        self.complete = complete
        self.query_excluded = query_excluded
        self.collection_size = collection_size


__all__ = [
    "Alignment",
    "Collection",
    "Concordances",
    "Error",
    "Hit",
    "Hits",
    "Line",
    "Melody",
    "Query",
    "Step",
    "Truth",
    "align",
    "compare",
    "concordances",
    "convert",
    "evaluate",
    "features",
    "matrix",
    "measures",
    "read",
    "read_query",
    "read_run",
    "read_truth",
    "scores",
    "similarity",
    "systems",
    "truth_from_labels",
    "truth_from_votes",
    "write_run",
    "write_truth",
]
