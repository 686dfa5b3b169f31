#!/usr/bin/env python3
"""Figures of runs as trec_eval defines them, worked out apart from Rondo.

    tests/oracle/trec/figures.py TRUTH RUN... > figures.tsv

Method, after the documentation that trec_eval prints of its measures: scores are kept in single precision; a query's
documents are sorted by score, equal ones by document id, the last first; ranks are ignored. Every query of the truth
counts (option -c), one without an answer as 0. A grade above 0 is relevant, 0 not relevant, what is not in the truth
not judged. Everything is summed as exact fractions, apart from the logarithms of ndcg; nothing of Rondo is used.
"""
import math
import struct
import sys
from fractions import Fraction


def single(text):
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def read(path):
    out = {}
    for line in open(path):
        columns = line.split()
        out.setdefault(columns[0], []).append(columns[1:])
    return out


def figures(grades, ranking):
    relevant = {document for document, grade in grades.items() if grade > 0}
    not_relevant = {document for document, grade in grades.items() if grade == 0}
    found, wrong = 0, 0
    precisions, bpref = Fraction(0), Fraction(0)
    first = None
    for rank, document in enumerate(ranking, 1):
        if document in relevant:
            found += 1
            first = first or rank
            precisions += Fraction(found, rank)
            bound = min(len(relevant), len(not_relevant))
            bpref += 1 - (Fraction(min(wrong, len(relevant)), bound) if wrong else 0)
        elif document in not_relevant:
            wrong += 1

    def precision(depth):
        return Fraction(sum(document in relevant for document in ranking[:depth]), depth)

    def dcg(gains):
        return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))

    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    gains = [max(0, grades.get(document, 0)) for document in ranking]
    return {
        "AP": precisions / len(relevant),
        "RR": Fraction(1, first) if first else 0,
        "bpref": bpref / len(relevant),
        "P@5": precision(5),
        "P@10": precision(10),
        "recall": Fraction(found, len(relevant)),
        "R-precision": precision(len(relevant)),
        "nDCG": dcg(gains) / dcg(ideal),
        "nDCG@5": dcg(gains[:5]) / dcg(ideal[:5]),
    }


def main():
    truth = read(sys.argv[1])
    print("run\tquery\tmeasure\tvalue")
    for path in sys.argv[2:]:
        run = read(path)
        sums = {}
        for query, lines in truth.items():
            grades = {document: int(grade) for _, document, grade in lines}
            answers = sorted(((single(score), document.encode()) for _, document, _, score, _ in run.get(query, [])), reverse=True)
            values = figures(grades, [document.decode() for _, document in answers])
            for name, value in values.items():
                sums[name] = sums.get(name, 0) + value
                print(path.split("/")[-1], query, name, repr(float(value)), sep="\t")
        for name, value in sums.items():
            print(path.split("/")[-1], "all", name, repr(float(value / len(truth))), sep="\t")


main()
