"""What mkdocs does not do by itself (mkdocs.yml names this file).

Links to files of the repository outside docs/ lead to copies of them. These end the build, as links to missing pages do: a
link to a heading that is not there, a page that is neither in the navigation nor in docs/README.md, and a dead link on the
pages outside docs/.
"""

import html
import pathlib
import posixpath
import re
import shutil

from mkdocs.exceptions import PluginError

SOURCE = pathlib.Path(__file__).resolve().parents[1]
CONTENTS = "README.md"
OUTSIDE = ["README.md", "CONTRIBUTING.md", "data/demo/README.md"]

copies = {}  # file of the repository -> its name in the site
links = []  # (page, target page, heading)
headings = {}  # page -> ids
problems = []


def on_pre_build(config):
    for page in OUTSIDE:
        for address in re.findall(r"\]\(([^):#]+)[^):]*\)", (SOURCE / page).read_text()):
            if not ((SOURCE / page).parent / address).exists():
                problems.append(f"{page}: '{address}' leads nowhere")


def on_nav(nav, config, files):
    listed = {page.file.src_path for page in nav.pages}
    contents = (SOURCE / "docs" / CONTENTS).read_text()
    for file in files.documentation_pages():
        if file.src_path not in listed:
            problems.append(f"{file.src_path} is not in the navigation of mkdocs.yml")
        if file.src_path != CONTENTS and f"]({file.src_path})" not in contents:
            problems.append(f"{file.src_path} is not in docs/{CONTENTS}")


def on_page_markdown(markdown, page, config, files):
    folder = (SOURCE / "docs" / page.file.src_path).parent

    def link(match):
        target = (folder / match.group(1)).resolve()
        if (target / "CMakeLists.txt").is_file():
            target /= "CMakeLists.txt"
        if target.is_relative_to(SOURCE / "docs") or not target.is_file():
            return match.group(0)
        name = target.relative_to(SOURCE).as_posix()
        copies[target] = f"files/{name}.txt"
        return f"](repository:{name})"  # mkdocs looks at no link with a scheme

    return re.sub(r"\]\((\.\./[^)#]+)\)", link, markdown)


def on_page_content(content, page, config, files):
    headings[page.file.url] = set(re.findall(r'id="([^"]+)"', content))
    for address in re.findall(r'href="([^":]*#[^"]+)"', content):
        path, _, heading = html.unescape(address).partition("#")
        folder = posixpath.dirname(page.file.url)
        links.append((page.file.src_path, posixpath.normpath(posixpath.join(folder, path)) if path else page.file.url, heading))
    up = "../" * page.file.src_path.count("/")
    content = re.sub(r'href="repository:([^"]+)"', rf'href="{up}files/\1.txt"', content)
    # Wide tables scroll in themselves, also by keys.
    content = content.replace("<table>", '<table tabindex="0">')
    # What is typed stands out from what is printed.
    return re.sub(r"(?m)(<code>|^)(\$ .*)$", r"\1<b>\2</b>", content)


def on_post_page(output, page, config):
    return output.replace('class="md-search__scrollwrap"', 'class="md-search__scrollwrap" tabindex="0"')


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    for source, name in copies.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, site / name)
    for page, target, heading in links:
        if heading not in headings.get(target, ()):
            problems.append(f"{page}: there is no heading '{heading}' in {target}")
    if problems:
        raise PluginError("\n".join(problems))
