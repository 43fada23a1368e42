"""Tables as a web page that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from great_tables import GT, loc, style
from great_tables import html as as_html

from queries.render.markup import page, text
from queries.render.printed import Printed
from warehouse.files.visible import visible
from warehouse.later import pl

_PLACES = {
    1: style.text(weight="bold"),
    2: style.text(decorate="underline"),
    3: style.text(style="italic"),
}
_SECTION = "section"


def html_page(tables: Sequence[Printed]) -> str:
    """The tables, one below the other; texts stay texts: nothing in them is markup."""
    title = tables[0].title if len(tables) == 1 else tables[0].name
    return page(
        title or "evalhouse", [html_table(f"t{n}", table) for n, table in enumerate(tables, 1)]
    )


def html_table(name: str, table: Printed) -> str:
    """A table as a piece of a page; `name` is its id, which its styles are under."""
    # Columns by place: two may have one heading, and no heading gets into an attribute.
    keys = [f"{name}_{place}" for place in range(len(table.columns))]
    frame = pl.DataFrame(
        {
            key: [_star(row.cells[place].text, row.cells[place].star) for row in table.rows]
            for place, key in enumerate(keys)
        },
        schema=dict.fromkeys(keys, pl.String),
    )
    has_sections = any(row.section is not None for row in table.rows)
    if has_sections:
        frame = frame.with_columns(
            pl.Series(_SECTION, [visible(row.section or "") for row in table.rows])
        )
    drawn = GT(frame, groupname_col=_SECTION if has_sections else None, id=name)
    if table.title:
        drawn = drawn.tab_header(
            title=visible(table.title), subtitle=visible(table.settings) or None
        )
    drawn = drawn.cols_label(
        # As plain text, {{…}} in a heading would be a unit to the library.
        {
            key: as_html(text(column.heading).replace("{", "&#123;"))
            for key, column in zip(keys, table.columns, strict=True)
        }
    )
    for align, wanted in (("left", True), ("right", False)):
        chosen = [k for k, c in zip(keys, table.columns, strict=True) if c.is_text is wanted]
        if chosen:
            drawn = drawn.cols_align(align, columns=chosen)
    for place, key in enumerate(keys):
        for rank, look in _PLACES.items():
            rows = [n for n, row in enumerate(table.rows) if row.cells[place].place == rank]
            if rows:
                drawn = drawn.tab_style(look, loc.body(columns=key, rows=rows))
    for note in table.notes:
        drawn = drawn.tab_source_note(visible(note))
    return drawn.as_raw_html()


def _star(plain: str, star: bool) -> str:
    return visible(plain) + ("*" if star else "")
