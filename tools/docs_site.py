#!/usr/bin/python3
"""Builds the documentation as HTML from the Markdown pages: tools/docs_site.py [OUT] (out/site).

docs/README.md is the table of contents: every page must be in it. A link that leads nowhere, to a page or within one,
is an error; so the site is also the check of the pages.
"""

import html
import pathlib
import posixpath
import re
import shutil
import sys

import markdown

SOURCE = pathlib.Path(__file__).resolve().parents[1]
CONTENTS = "docs/README.md"
OUTSIDE = ["README.md", "CONTRIBUTING.md", "data/demo/README.md"]

STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --soft: #5c6068; --paper: #fff; --line: #dcdfe4; --code: #f5f6f8;
  --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7ea; --soft: #a3a8b2; --paper: #17181b; --line: #34373d;
  --code: #202227; --link: #7db4f0; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: .9rem; position: sticky; top: 0;
  max-height: 100vh; overflow-y: auto; }
nav h2 { font-size: .78rem; margin: 1.1rem 0 .25rem; padding: 0; border: 0; color: var(--soft); font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .12rem 0; color: inherit; text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--link); }
nav a[aria-current] { font-weight: 600; }
main { padding: 1.5rem 2rem 4rem; min-width: 0; }
a { color: var(--link); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .2rem 0 1rem; }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
code { font: .88em/1.45 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--code); padding: .08em .3em;
  border-radius: 3px; overflow-wrap: break-word; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
td code { white-space: nowrap; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
/* Narrow: the page first, the list of pages below it. */
@media (max-width: 50rem) { .page { display: flex; flex-direction: column-reverse; } nav { position: static;
  max-height: none; border-right: 0; border-top: 1px solid var(--line); } nav ul { columns: 2; }
  main { padding: 1rem; } td code { white-space: normal; } }
@media print { nav, .skip { display: none; } .page { display: block; } pre { white-space: pre-wrap; }
  a { color: inherit; } }
"""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{style}">
<a class="skip" href="#content">To the page</a>
<div class="page">
<nav aria-label="Pages">{nav}</nav>
<main id="content">
{body}
</main>
</div>
</html>
"""


def target_of(page):
    """Where a page goes: README.md becomes the index of its folder."""
    folder, name = posixpath.split(page)
    name = "index.html" if name == "README.md" else name[: -len(".md")] + ".html"
    return posixpath.join(folder, name)


def all_pages():
    docs = [path.relative_to(SOURCE).as_posix() for path in (SOURCE / "docs").rglob("*.md")]
    return sorted(docs) + OUTSIDE


def contents():
    """[(section, [(page, title)])] of the table of contents: its headings and the links in its tables."""
    sections = [("", [(CONTENTS, "Contents")])]
    for line in (SOURCE / CONTENTS).read_text().splitlines():
        if line.startswith("## "):
            sections.append((line[3:].strip(), []))
        link = re.match(r"\|\s*\[([^\]]+)\]\(([^)#]+\.md)\)", line)
        if link:
            page = posixpath.normpath(posixpath.join(posixpath.dirname(CONTENTS), link.group(2)))
            sections[-1][1].append((page, link.group(1)))
    return sections


def navigation(current, sections):
    out = []
    here = posixpath.dirname(target_of(current))
    for section, pages in sections:
        if section:
            out.append(f"<h2>{html.escape(section)}</h2>")
        out.append("<ul>")
        for page, title in pages:
            link = posixpath.relpath(target_of(page), here or ".")
            mark = ' aria-current="page"' if page == current else ""
            out.append(f'<li><a href="{link}"{mark}>{html.escape(title)}</a></li>')
        out.append("</ul>")
    return "\n".join(out)


class Site:
    def __init__(self, out):
        self.out = out
        self.problems = []
        self.bodies = {}
        self.images = set()

    def render(self, page):
        converter = markdown.Markdown(extensions=["tables", "fenced_code", "sane_lists", "toc"])
        body = converter.convert((SOURCE / page).read_text())
        body = body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
        # What is typed stands out from what is printed.
        return re.sub(r"(?m)(<code>|^)(\$ .*)$", r"\1<b>\2</b>", body)

    def link(self, page, match, pages):
        name, address = match.group(1), html.unescape(match.group(2))
        if re.match(r"[a-z]+:", address):
            return match.group(0)
        path, _, anchor = address.partition("#")
        target = page if not path else posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if (SOURCE / target).is_dir():
            target = posixpath.join(target, "README.md")
        here = posixpath.dirname(target_of(page)) or "."
        if target in pages:
            if anchor and f'id="{anchor}"' not in self.bodies[target]:
                self.problems.append(f"{page}: no heading '{anchor}' in {target}")
            return f'{name}="{posixpath.relpath(target_of(target), here)}{"#" + anchor if anchor else ""}"'
        if not (SOURCE / target).exists():
            self.problems.append(f"{page}: '{address}' leads nowhere")
        self.images.add(target)
        return f'{name}="{posixpath.relpath(target, here)}"'

    def build(self):
        pages = all_pages()
        sections = contents()
        listed = {page for _, group in sections for page, _ in group}
        self.problems += [f"{page} is not in {CONTENTS}" for page in pages if page.startswith("docs/") and page not in listed]
        self.problems += [f"{CONTENTS} names {page}, which is not there" for page in listed if page not in pages]
        self.bodies = {page: self.render(page) for page in pages}
        for page, body in self.bodies.items():
            body = re.sub(r'(href|src)="([^"]+)"', lambda match: self.link(page, match, pages), body)
            title = re.search(r"(?m)^# (.*)$", (SOURCE / page).read_text())
            target = self.out / target_of(page)
            target.parent.mkdir(parents=True, exist_ok=True)
            style = posixpath.relpath("style.css", posixpath.dirname(target_of(page)) or ".")
            heading = re.sub("[`*]", "", title.group(1)) if title else "Rondo"
            full = heading if heading == "Rondo" else heading + " - Rondo"
            target.write_text(
                PAGE.format(title=html.escape(full), style=style, nav=navigation(page, sections), body=body)
            )
        for image in self.images:
            if (SOURCE / image).is_file():
                (self.out / image).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / image, self.out / image)
        (self.out / "style.css").write_text(STYLE)
        return len(pages)


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else SOURCE / "out" / "site")
    shutil.rmtree(out, ignore_errors=True)
    site = Site(out)
    count = site.build()
    for problem in site.problems:
        print(f"docs: {problem}", file=sys.stderr)
    print(f"{count} pages in {out}; begin at {out / 'docs' / 'index.html'}")
    return 1 if site.problems else 0


if __name__ == "__main__":
    sys.exit(main())
