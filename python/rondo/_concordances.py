"""The result of rondo.concordances: columns, and the tables that other packages make of them."""

import html
import importlib

import numpy

_MOST_ROWS = 50


class Concordances:
    """Melodies that are the same tune: pairs, and groups of them.

    Melodies are numbered in the order of ``ids``. Needs only numpy; `matrix` needs scipy, `pairs` and `groups` need
    pandas.

    >>> with rondo.Collection("out/tunes.db", "create") as tunes:
    ...     summary = tunes.import_files("data/demo")
    >>> found = rondo.concordances("out/tunes.db", min_probability=0.9)
    >>> found.groups().columns.tolist()
    ['group', 'id', 'voice', 'collection', 'partners', 'best_partner', 'best_score', 'best_probability']
    """

    def __init__(self, columns):
        self._columns = columns
        self._ids = list(columns["ids"])

    @property
    def ids(self):
        """For each melody the id of its piece."""
        return list(self._ids)

    @property
    def voices(self):
        """For each melody the index of its voice in the piece, from 0."""
        return self._columns["voices"]

    @property
    def collections(self):
        """For each melody 0 if it is from the first collection, 1 if it is from ``against``."""
        return self._columns["collections"]

    @property
    def group_of(self):
        """For each melody the number of its group, from 0; -1: in no group."""
        return self._columns["group_of"]

    @property
    def compared(self):
        """How many melodies were compared."""
        return self._columns["compared"]

    @property
    def too_short(self):
        """How many melodies have fewer than ``min_notes`` notes and were left out."""
        return self._columns["too_short"]

    @property
    def last_voice(self):
        """Value for ``since`` in the next run: melodies added from now on are newer."""
        return self._columns["last_voice"]

    def __len__(self):
        return len(self._columns["a"])

    def __repr__(self):
        groups = int(self.group_of.max()) + 1 if len(self._ids) else 0
        return f"<rondo.Concordances: {len(self)} pairs of {len(self._ids)} melodies in {groups} groups>"

    def coordinates(self):
        """The scores as coordinates, (scores, (queries, melodies)), as ``scipy.sparse.coo_array`` expects them.

        Both directions of every pair are included; rows are queries, columns the melodies compared with them.

        >>> with rondo.Collection("out/coordinates.db", "create") as tunes:
        ...     summary = tunes.import_files("data/demo")
        >>> scores, (queries, melodies) = rondo.concordances("out/coordinates.db", min_score=0.5).coordinates()
        >>> bool(scores.min() >= 0.5), len(scores) == len(queries) == len(melodies)
        (True, True)
        """
        a, b = self._columns["a"], self._columns["b"]
        scores = numpy.concatenate([self._columns["score_of_b"], self._columns["score_of_a"]])
        return scores, (numpy.concatenate([a, b]), numpy.concatenate([b, a]))

    def matrix(self):
        """The scores as a scipy sparse matrix (CSR): rows are queries, columns are melodies, in the order of ``ids``."""
        sparse = importlib.import_module("scipy.sparse")
        size = len(self._ids)
        return sparse.coo_matrix(self.coordinates(), shape=(size, size)).tocsr()

    def pairs(self):
        """A pandas data frame with a row for each pair: ids, voices, relation, scores and probabilities.

        A probability that is not known (another system than rondo, too few melodies) is NaN.
        """
        pandas = importlib.import_module("pandas")
        columns = self._columns
        a, b = columns["a"], columns["b"]
        frame = pandas.DataFrame(
            {
                "id": [self._ids[i] for i in a],
                "voice": self.voices[a],
                "other_id": [self._ids[i] for i in b],
                "other_voice": self.voices[b],
                "relation": columns["relation"],
                "score_of_other": columns["score_of_b"],
                "score_of_this": columns["score_of_a"],
                "probability_of_other": columns["probability_of_b"],
                "probability_of_this": columns["probability_of_a"],
            }
        )
        frame.insert(5, "score", frame[["score_of_other", "score_of_this"]].min(axis=1))
        frame.insert(8, "probability", frame[["probability_of_other", "probability_of_this"]].min(axis=1))
        return frame

    def groups(self):
        """A pandas data frame with a row for each member of each group, with its evidence.

        ``partners`` is the number of other members with which it forms a pair, ``best_partner`` the member that it
        resembles most, with the score and the probability of this pair.
        """
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self._members())

    def _members(self):
        columns = self._columns
        best, partners = {}, {}
        for a, b, there, back, p_there, p_back, relation in zip(
            columns["a"].tolist(), columns["b"].tolist(), columns["score_of_b"].tolist(), columns["score_of_a"].tolist(),
            columns["probability_of_b"].tolist(), columns["probability_of_a"].tolist(), columns["relation"],
        ):
            if relation in ("part of", "has as part", "phrase in common"):
                continue
            if self.group_of[a] < 0 or self.group_of[a] != self.group_of[b]:
                continue
            evidence = (min(there, back), min(p_there, p_back))
            for one, other in ((a, b), (b, a)):
                partners[one] = partners.get(one, 0) + 1
                if one not in best or evidence[0] > best[one][1][0]:
                    best[one] = (other, evidence)
        rows = {name: [] for name in ("group", "id", "voice", "collection", "partners", "best_partner", "best_score",
                                      "best_probability")}
        for melody in sorted(best, key=lambda one: (self.group_of[one], one)):
            other, (score, probability) = best[melody]
            values = (int(self.group_of[melody]), self._ids[melody], int(self.voices[melody]),
                      int(self.collections[melody]), partners[melody], self._ids[other], score, probability)
            for name, value in zip(rows, values):
                rows[name].append(value)
        return rows

    def _repr_html_(self):
        rows = self._members()
        head = "".join(f"<th>{name}</th>" for name in rows)
        body = ""
        for row in list(zip(*rows.values()))[:_MOST_ROWS]:
            cells = (f"{value:.3f}" if isinstance(value, float) else str(value) for value in row)
            body += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
        more = "" if len(rows["id"]) <= _MOST_ROWS else f"<p>and {len(rows['id']) - _MOST_ROWS} more</p>"
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table><tr>{head}</tr>{body}</table>{more}"
