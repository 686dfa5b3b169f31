// Notes are set against notes by a local alignment of intervals: the same interval 2, a gap or another one -1.

export function align(query, document, { system, ignoreRepeated = false, anchored = false } = {}) {
  const a = query.map(({ midi }, i) => (i === 0 ? null : midi - query[i - 1].midi));
  const b = document.map(({ midi }, i) => (i === 0 ? null : midi - document[i - 1].midi));
  // Systems differ, so that their lists do.
  const same = (x, y) => (system === "ngram" ? Math.sign(x) === Math.sign(y) : x === y);
  const gap = system === "time" ? 0.4 : 1;
  const table = a.map(() => new Float64Array(b.length));
  for (let i = 1; i < a.length; ++i)
    for (let j = 1; j < b.length; ++j) {
      const fit = same(a[i], b[j]) ? (ignoreRepeated && a[i] === 0 ? 0 : 2) : -1;
      table[i][j] = Math.max(table[i - 1][j - 1] + fit, table[i - 1][j] - gap, table[i][j - 1] - gap, anchored ? -1e9 : 0);
    }
  const matched = { query: new Set(), document: new Set() };
  const steps = [];
  let best = [0, 0];
  for (let i = 1; i < a.length; ++i) for (let j = 1; j < b.length; ++j) if (table[i][j] > table[best[0]][best[1]]) best = [i, j];
  for (let [i, j] = best; i > 0 && j > 0 && (anchored || table[i][j] > 0); ) {
    if (same(a[i], b[j]) && table[i][j] === table[i - 1][j - 1] + (ignoreRepeated && a[i] === 0 ? 0 : 2)) {
      for (const n of [i - 1, i]) matched.query.add(n);
      for (const n of [j - 1, j]) matched.document.add(n);
      steps.unshift({ kind: "match", query: [i - 1, i + 1], document: [j - 1, j + 1], score: 2 });
      --i;
      --j;
    } else if (table[i - 1][j] >= table[i][j - 1]) {
      steps.unshift({ kind: "only query", query: [i - 1, i + 1], document: null, score: -gap });
      --i;
    } else {
      steps.unshift({ kind: "only hit", query: null, document: [j - 1, j + 1], score: -gap });
      --j;
    }
  }
  const score = (table[best[0]]?.[best[1]] ?? 0) / (2 * Math.max(1, a.length - 1));
  const sorted = (set) => [...set].sort((x, y) => x - y);
  return { score, query: sorted(matched.query), document: sorted(matched.document), steps };
}
