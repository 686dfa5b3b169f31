import { describe, expect, it } from "vitest";
import { asBibtex, asCorpus, asCsv } from "../app/export";
import { withKept, withoutKept, withVisit, type Kept } from "../app/saved";

const joy: Kept = { id: "joy-1", title: 'Ode, "to" Joy', composer: "Ludwig & van", year: 1824, library: "D-B", shelfmark: "Mus. ms. 2" };

describe("the basket", () => {
  it("has each melody once, and only what is known of it", () => {
    const one = withKept([], { ...joy, source: "" });
    expect(one).toEqual([joy]);
    expect(withKept(one, joy)).toEqual([joy]);
    expect(withoutKept(one, "joy-1")).toEqual([]);
  });
  it("is exported as CSV that spreadsheets read as text", () => {
    expect(asCsv([{ id: "a" }, { id: "b", title: '=1+"x"' }, joy])).toBe(
      `id,title,composer,year,library,shelfmark,source,uri,pae\r\na,,,,,,,,\r\nb,"'=1+""x""",,,,,,,\r\njoy-1,"Ode, ""to"" Joy",Ludwig & van,1824,D-B,Mus. ms. 2,,,\r\n`,
    );
  });
  it("is exported as BibTeX with keys of its own", () => {
    const text = asBibtex([joy, { id: "joy/1" }, { id: "joy#1" }], (id) => `http://x/?show=${id}`);
    expect(text).toContain("@misc{joy-1,\n  author = {Ludwig \\& van},\n");
    expect(text.match(/@misc\{[^,]+/g)).toEqual(["@misc{joy-1", "@misc{joy-1-2", "@misc{joy-1-3"]);
  });
  it("is exported as one MEI corpus", () => {
    const text = asCorpus(['<?xml version="1.0"?>\n<?xml-model href="x"?>\n<mei>1</mei>', "<mei>2</mei>"]);
    expect(text.match(/<\?xml/g)).toHaveLength(1);
    expect(text).toContain("<mei>1</mei>\n<mei>2</mei>");
  });
});

describe("the history", () => {
  it("has the newest first and each search once", () => {
    const visit = (address: string, time: number) => ({ address, what: address, time });
    let all = withVisit([], visit("/?q=a", 1));
    all = withVisit(all, visit("/?q=b", 2));
    all = withVisit(all, visit("/?q=a", 3));
    expect(all.map(({ address, time }) => [address, time])).toEqual([
      ["/?q=a", 3],
      ["/?q=b", 2],
    ]);
  });
});
