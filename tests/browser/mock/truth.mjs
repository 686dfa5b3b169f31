// A truth as the server gives it, from made-up votes: candidate i is put at rank i + 1, give or take, by fewer and fewer
// people. The test is the normal approximation; the pages only show what they are given.

function generator(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

function quantile(sorted, q) {
  const at = (sorted.length - 1) * q;
  const below = Math.floor(at);
  return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

const normalTail = (z) => {
  const x = 1 / (1 + 0.2316419 * z);
  const poly = x * (0.31938153 + x * (-0.356563782 + x * (1.781477937 + x * (-1.821255978 + x * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
};

function rankSum(a, b) {
  const all = [...a.map((value) => [value, 0]), ...b.map((value) => [value, 1])].sort((x, y) => x[0] - y[0]);
  let sum = 0;
  for (let i = 0; i < all.length; ) {
    let j = i;
    while (j < all.length && all[j][0] === all[i][0]) ++j;
    for (let k = i; k < j; ++k) if (all[k][1] === 0) sum += (i + j + 1) / 2;
    i = j;
  }
  const mean = (a.length * (all.length + 1)) / 2;
  const deviation = Math.sqrt((a.length * b.length * (all.length + 1)) / 12);
  return Math.min(1, 2 * normalTail(Math.abs(sum - mean) / deviation));
}

export function truthOf(melodies, rule, threshold, count = 14) {
  const random = generator(7);
  const queries = [0, 1].map((number) => {
    const candidates = Array.from({ length: count }, (_, i) => {
      const voters = Math.max(3, 20 - i);
      const spread = 0.8 + i * 0.5;
      const ranks = Array.from({ length: voters }, () => Math.max(1, Math.round(i + 1 + (random() + random() - 1) * spread * 2)));
      const sorted = [...ranks].sort((a, b) => a - b);
      const mean = ranks.reduce((sum, one) => sum + one, 0) / voters;
      const deviation = Math.sqrt(ranks.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (voters - 1));
      const { title, composer, pae, mei, notes, shelfmark } = melodies[(i + number) % melodies.length];
      return { id: `m-${i}`, title, composer, shelfmark, pae, mei, notes, ranks, votes: voters, median: quantile(sorted, 0.5), mean, deviation, q1: quantile(sorted, 0.25), q3: quantile(sorted, 0.75), p10: quantile(sorted, 0.1), p90: quantile(sorted, 0.9), folded: i === 2 ? [{ id: "m-2-copy", relation: "transposition" }] : [] };
    }).sort((a, b) => a.median - b.median || a.mean - b.mean);
    let group = 1;
    candidates.forEach((one, i) => {
      one.p = candidates.slice(0, i).map((other) => rankSum(one.ranks, other.ranks));
      one.border_above = i > 0 && (rule === "previous" ? one.p.at(-1) < threshold : one.p.every((p) => p < threshold));
      if (one.border_above) ++group;
      one.group = group;
    });
    const query = melodies[number];
    return { number: number + 1, label: ["joy", "maman"][number], id: query.id, title: query.title, composer: query.composer, shelfmark: query.shelfmark, mei: query.mei, notes: query.notes, votes: 20, consistency: { contradicting: 9, pairs: 91, share: 9 / 91 }, agreement: { kendall_w: 0.71, mean_tau: 0.55, raters: 20 }, candidates };
  });
  return { rule, threshold, queries, experience: { years: [1, 3, 5, 5, 8, 10, 12, 15, 15, 20, 22, 30, 41], instruments: [{ name: "piano", count: 9 }, { name: "voice", count: 5 }, { name: "violin", count: 3 }] } };
}
