import { describe, expect, it } from "vitest";
import { chooseLanguage, kLanguages, speechOf } from "../shared/language";
import { de } from "../app/words/de";
import { en } from "../app/words/en";
import { es } from "../app/words/es";
import { fr } from "../app/words/fr";
import { it as italian } from "../app/words/it";
import { de as concordancesDe } from "../concordances/words/de";
import { en as concordancesEn } from "../concordances/words/en";
import { es as concordancesEs } from "../concordances/words/es";
import { fr as concordancesFr } from "../concordances/words/fr";
import { it as concordancesIt } from "../concordances/words/it";
import { de as studiesDe } from "../studies/words/de";
import { en as studiesEn } from "../studies/words/en";
import { es as studiesEs } from "../studies/words/es";
import { fr as studiesFr } from "../studies/words/fr";
import { it as studiesIt } from "../studies/words/it";
import { de as studyDe } from "../study/words/de";
import { en as studyEn } from "../study/words/en";
import { es as studyEs } from "../study/words/es";
import { fr as studyFr } from "../study/words/fr";
import { it as studyIt } from "../study/words/it";
import { de as tablesDe } from "../tables/words/de";
import { en as tablesEn } from "../tables/words/en";
import { es as tablesEs } from "../tables/words/es";
import { fr as tablesFr } from "../tables/words/fr";
import { it as tablesIt } from "../tables/words/it";

const kPages = {
  search: { en, de, fr, it: italian, es },
  concordances: { en: concordancesEn, de: concordancesDe, fr: concordancesFr, it: concordancesIt, es: concordancesEs },
  study: { en: studyEn, de: studyDe, fr: studyFr, it: studyIt, es: studyEs },
  studies: { en: studiesEn, de: studiesDe, fr: studiesFr, it: studiesIt, es: studiesEs },
  tables: { en: tablesEn, de: tablesDe, fr: tablesFr, it: tablesIt, es: tablesEs },
};

type Leaf = string | ((...given: never[]) => string);

function leaves(words: object, path = ""): Map<string, Leaf> {
  const result = new Map<string, Leaf>();
  for (const [key, value] of Object.entries(words)) {
    const here = path ? `${path}.${key}` : key;
    if (typeof value === "string" || typeof value === "function") result.set(here, value as Leaf);
    else for (const [inner, leaf] of leaves(value as object, here)) result.set(inner, leaf);
  }
  return result;
}

/** What a function of this name is given, where numbers will not do. */
const kGiven: Record<string, unknown[]> = {
  "saved.when": [new Date(0)],
  "study.careOf": [{ planted: 2, misplaced: 1, unchanged: 1, seconds: 3 }],
  "candidates.card": [1, "x", "keep"],
  "candidates.said": [1, "drop"],
  "candidates.folded": [[{ id: "x", relation: "y" }]],
  whose: [{ unfinished: true, minimum: 3, left_out: [{ number: 2, reason: "x" }], withdrawn: 1 }],
  folded: [[{ id: "x", relation: "y" }]],
  plot: [{ votes: 2, median: 1.5, mean: 1.5, deviation: 0.71, q1: 1, q3: 2, p10: 1, p90: 2 }],
  bar: [[0.02, null]],
};

for (const [page, all] of Object.entries(kPages)) {
  const english = leaves(all.en);
  describe(`every language of the page ${page}`, () => {
    it("is one of those that can be chosen", () => {
      expect(Object.keys(all)).toEqual(Object.keys(kLanguages));
    });
    for (const [tag, words] of Object.entries(all)) {
      const own = leaves(words);
      it(`has every key, and no other: ${tag}`, () => {
        expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
      });
      it(`says something for every key, with what it is given: ${tag}`, () => {
        for (const [key, leaf] of own) {
          if (typeof leaf === "string") {
            expect(leaf.trim(), key).not.toBe("");
            continue;
          }
          const parts = String(english.get(key)).match(/^\(([^)]*)\)/)?.[1]?.split(",").length ?? 0;
          for (const n of [0, 1, 2, 1000, 2_000_000]) {
            const given = kGiven[key] ?? Array.from({ length: parts }, () => n);
            const said = String((leaf as (...all: unknown[]) => string)(...given));
            expect(said, key).toMatch(/\S/);
            expect(said, key).not.toMatch(/undefined|NaN|\[object/);
          }
        }
      });
      if (tag === "en") continue;
      it(`is not English left as it was: ${tag}`, () => {
        // Names of formats and of notations, and commands, are the same everywhere.
        const same = [...own].filter(([key, leaf]) => typeof leaf === "string" && leaf.length > 12 && leaf === english.get(key) && !/Plaine|MARC|^rondo /.test(leaf)).map(([key]) => key);
        expect(same).toEqual([]);
      });
    }
  });
}

describe("numbers and plurals", () => {
  it("follow the language", () => {
    expect(speechOf("de").number(108518)).toBe("108.518");
    expect(speechOf("en").number(108518)).toBe("108,518");
    expect(speechOf("fr").number(1.5, 1)).toBe("1,5");
    expect(fr.results.found(0)).toBe("0 mélodie");
    expect(en.results.found(0)).toBe("0 melodies");
    expect(fr.results.found(2_000_000)).toMatch(/de mélodies$/);
    expect(de.results.found(1)).toBe("1 Melodie");
  });
});

describe("the language", () => {
  it("is the one chosen here, else the first of the browser's that is known, else English", () => {
    expect(chooseLanguage("it", ["de"])).toBe("it");
    expect(chooseLanguage(null, ["ja", "de-AT", "fr"])).toBe("de");
    expect(chooseLanguage(null, ["ja"])).toBe("en");
    expect(chooseLanguage("xx", ["es-MX"])).toBe("es");
    expect(chooseLanguage(null, [])).toBe("en");
  });
});
