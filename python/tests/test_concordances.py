"""Concordances from Python: the same as the command's, as matrices and frames."""

import unittest

import rondo
from case import DEMO, Case


class Concordances(Case):
    def setUp(self):
        super().setUp()
        self.db = self.folder / "demo.db"
        with rondo.Collection(self.db, "create") as tunes:
            tunes.import_files(DEMO)

    def test_scores_are_those_of_the_system(self):
        found = rondo.concordances(self.db, min_score=0.5)
        self.assertGreater(len(found), 20)
        scores, (queries, melodies) = found.coordinates()
        self.assertEqual(len(scores), 2 * len(found))
        self.assertTrue((scores >= 0.5).all())
        with rondo.Collection(self.db) as tunes:
            for at in range(0, len(scores), 17):
                a, b = (tunes[found.ids[i]] for i in (queries[at], melodies[at]))
                self.assertEqual(scores[at], rondo.similarity(a, b))

    def test_an_open_collection_will_do_and_options_are_those_of_the_command(self):
        with rondo.Collection(self.db) as tunes:
            whole = rondo.concordances(tunes, min_score=0.5)
            self.assertEqual(repr(whole), repr(rondo.concordances(self.db, min_score=0.5)))
            likely = rondo.concordances(tunes, min_probability=0.9)
            self.assertTrue((likely.pairs().probability >= 0.9).all())
            self.assertGreater(len(rondo.concordances(tunes, min_score=0.5, either=True)), len(whole))
            self.assertLess(len(rondo.concordances(tunes, min_score=0.3, k=1)),
                            len(rondo.concordances(tunes, min_score=0.3)))
            self.assertEqual(len(rondo.concordances(tunes, min_score=0.5, since=whole.last_voice)), 0)
            between = rondo.concordances(tunes, min_score=0.5, against=self.db)
            self.assertEqual(set(between.collections), {0, 1})

    def test_frames_have_a_row_for_each_pair_and_member(self):
        found = rondo.concordances(self.db, min_probability=0.5)
        pairs, groups = found.pairs(), found.groups()
        self.assertEqual(len(pairs), len(found))
        self.assertTrue((pairs.score == pairs[["score_of_other", "score_of_this"]].min(axis=1)).all())
        self.assertEqual(len(groups), int((found.group_of >= 0).sum()))
        self.assertTrue((groups.groupby("group").size() >= 2).all())
        self.assertTrue((groups.partners >= 1).all())
        self.assertIn("<table>", found._repr_html_())

    def test_the_matrix_is_made_by_scipy(self):
        found = rondo.concordances(self.db, min_score=0.5)
        matrix = found.matrix().toarray()
        self.assertEqual(matrix.shape, (len(found.ids),) * 2)
        self.assertEqual(int((matrix != 0).sum()), 2 * len(found))
        pair = found.pairs().iloc[0]
        row, column = found.ids.index(pair.id), found.ids.index(pair.other_id)
        self.assertEqual(matrix[row, column], pair.score_of_other)
        self.assertEqual(matrix[column, row], pair.score_of_this)

    def test_progress_is_told_and_may_end_it(self):
        told = []
        rondo.concordances(self.db, min_score=0.5, progress=lambda done, total: told.append((done, total)))
        self.assertEqual(told[-1][0], told[-1][1])

        def end(done, total):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            rondo.concordances(self.db, min_score=0.5, progress=end, threads=1)

    def test_a_journal_is_kept_where_it_is_asked_for(self):
        journal = self.folder / "journal"
        first = rondo.concordances(self.db, min_score=0.5, journal=journal)
        self.assertTrue(journal.exists())
        self.assertEqual(repr(rondo.concordances(self.db, min_score=0.5, journal=journal)), repr(first))
        self.assertFails("journal-other", rondo.concordances, self.db, min_score=0.6, journal=journal)

    def test_what_is_wrong_is_said(self):
        with self.assertRaises(ValueError):
            rondo.concordances(self.db, min_probability=1.5)
        self.assertFails("since-malformed", rondo.concordances, self.db, since="tomorrow")
        self.assertFails("probability-unknown", rondo.concordances, self.db, "LDP", min_probability=0.5)


if __name__ == "__main__":
    unittest.main()
