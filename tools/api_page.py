#!/usr/bin/python3
"""Writes docs/api.md from src/server/openapi.json: tools/api_page.py > docs/api.md (--check: only compares)."""

import json
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[1]
HEAD = """# The API

Written by `tools/api_page.py > docs/api.md` from the description that the server provides at
`/api/v1/openapi.json`; a test fails if they differ. [server.md](server.md) describes how to run the server and what
applies to all responses.
"""


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def kind(schema, description):
    """A schema in a few words."""
    if not schema:
        return ""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})" if name in description["components"]["schemas"] else name
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(kind(one, description) for one in schema[word])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    name = schema.get("type", "any")
    if isinstance(name, list):
        name = " or ".join(name)
    if name == "array":
        return f"list of {kind(schema.get('items', {}), description) or 'any'}"
    return name


def parameters(operation, description):
    rows = operation.get("parameters", [])
    if not rows:
        return ""
    out = "| parameter | type | description |\n| --- | --- | --- |\n"
    for row in rows:
        schema = row.get("schema", {})
        notes = row.get("description", schema.get("description", ""))
        if "default" in schema:
            notes += f" Default {json.dumps(schema['default'])}."
        if row.get("required"):
            notes += " Required."
        out += f"| `{row['name']}` | {cell(kind(schema, description))} | {cell(notes)} |\n"
    return out + "\n"


def answers(operation, description):
    out = "| status | response | description |\n| --- | --- | --- |\n"
    for status, answer in operation["responses"].items():
        forms = [
            " ".join(part for part in (f"`{mime}`", kind(body.get("schema", {}), description)) if part)
            for mime, body in answer.get("content", {}).items()
        ]
        out += f"| {'any other' if status == 'default' else status} | {cell('; '.join(forms))} | {cell(answer.get('description', ''))} |\n"
    return out + "\n"


def schema_section(name, schema, description):
    out = f"### {name}\n\n"
    if "description" in schema:
        out += f"{schema['description']}\n\n"
    fields = schema.get("properties")
    if not fields:
        return out + f"{kind(schema, description)}\n\n"
    out += "| member | type | description |\n| --- | --- | --- |\n"
    for field, inner in fields.items():
        always = "" if field in schema.get("required", []) else "Optional. "
        out += f"| `{field}` | {cell(kind(inner, description))} | {cell(always + inner.get('description', ''))} |\n"
    return out + "\n"


def page():
    description = json.loads((SOURCE / "src/server/openapi.json").read_text())
    out = HEAD + f"\n{description['info']['description']}\n\n"
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            out += f"## {method.upper()} {path}\n\n{operation['summary']}.\n\n"
            if operation.get("description"):
                out += f"{operation['description']}\n\n"
            merged = dict(operation, parameters=methods.get("parameters", []) + operation.get("parameters", []))
            out += parameters(merged, description) + answers(operation, description)
    out += "## Objects\n\n"
    for name, schema in description["components"]["schemas"].items():
        out += schema_section(name, schema, description)
    return out.rstrip("\n") + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if (SOURCE / "docs/api.md").read_text() != page():
            sys.exit("docs/api.md is out of date: tools/api_page.py > docs/api.md")
    else:
        sys.stdout.write(page())
