"""What mkdocs does not do by itself (mkdocs.yml names this file).

Links to files of the repository outside docs/ lead to copies of them; a link to a heading that is not there, and a page that
the navigation does not have, end the build as any other link that leads nowhere.
"""

import html
import pathlib
import re
import shutil

from mkdocs.exceptions import PluginError

SOURCE = pathlib.Path(__file__).resolve().parents[1]
outside = {}  # path in the repository -> path in the site
links = []  # (page, target page, heading)
headings = {}  # page -> ids
problems = []


def on_nav(nav, config, files):
    listed = {page.file.src_path for page in nav.pages}
    for file in files.documentation_pages():
        if file.src_path not in listed:
            problems.append(f"{file.src_path} is not in the navigation of mkdocs.yml")


def on_page_markdown(markdown, page, config, files):
    folder = (SOURCE / "docs" / page.file.src_path).parent

    def replaced(match):
        target = (folder / match.group(1)).resolve()
        if target.is_dir() and (target / "CMakeLists.txt").is_file():
            target /= "CMakeLists.txt"
        if target.is_relative_to(SOURCE / "docs") or not target.is_file():
            return match.group(0)
        name = target.relative_to(SOURCE).as_posix()
        outside[target] = f"files/{name}.txt"
        return f"](repository:{name})"  # mkdocs looks at no link with a scheme

    return re.sub(r"\]\((\.\./[^)#]+)\)", replaced, markdown)


def on_page_content(content, page, config, files):
    headings[page.file.url] = set(re.findall(r'id="([^"]+)"', content))
    for address in re.findall(r'href="([^":]*#[^"]+)"', content):
        path, _, heading = html.unescape(address).partition("#")
        folder = pathlib.PurePosixPath(page.file.url).parent
        links.append((page.file.src_path, (folder / path).as_posix() if path else page.file.url, heading))
    up = "../" * page.file.src_path.count("/")
    content = re.sub(r'href="repository:([^"]+)"', rf'href="{up}files/\1.txt"', content)
    # What is typed stands out from what is printed.
    return re.sub(r"(?m)(<code>|^)(\$ .*)$", r"\1<b>\2</b>", content)


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    for source, name in outside.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, site / name)
    for page, target, heading in links:
        parts = []
        for part in target.split("/"):
            if part == ".." and parts:
                parts.pop()
            elif part != ".":
                parts.append(part)
        if heading not in headings.get("/".join(parts), ()):
            problems.append(f"{page}: there is no heading '{heading}' in {'/'.join(parts)}")
    if problems:
        raise PluginError("\n".join(problems))
