"""The pages as a server gives them: the commands' figures, whom it answers, labels, SQL, a busy file."""

from __future__ import annotations

import ast
import csv
import io
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree

import polars as pl
import pytest
from starlette.testclient import TestClient

from evalhouse import Warehouse
from evalhouse.cli_serve import pages_of
from evalhouse.demo.build import JUDGE, build
from evalhouse.pages import computing, live, page_data
from evalhouse.pages.guard import Door
from evalhouse.pages.site import Site
from queries import render, session, show, studies
from queries.render import percent
from tests.conftest import ROOT
from tests.houses import QuickHouse
from tests.webpages import HERE, HOSTILE, PORT, Seen, client_of, hostile_house, site_of

_PAGES = (
    "/",
    "/board?benchmark=MMBench",
    "/questions?run=1&judge=replayed-judge&show=wrong",
    "/question?run=1&judge=replayed-judge&show=wrong&question=2",
    "/model?name=MMGPT&with=Shikra",
    "/compare?a=LLaVA&b=Shikra",
    "/judges",
    "/sql?q=SELECT+1+AS+one",
    "/label",
    "/label?annotator=eva&judge=replayed-judge",
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return QuickHouse(build(tmp_path_factory.mktemp("demo")).path)


@pytest.fixture(scope="module")
def site(demo: Warehouse) -> Site:
    return site_of(demo)


@pytest.fixture(scope="module")
def client(site: Site) -> TestClient:
    return client_of(site)


def page(client: TestClient, path: str, status: int = 200) -> Seen:
    answer = client.get(path)
    assert answer.status_code == status, answer.text[-2000:]
    return Seen(answer.text)


@pytest.mark.slow
@pytest.mark.parametrize("path", _PAGES)
def test_each_page_comes_under_a_strict_policy(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text[-2000:]
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, found in Seen(answer.text).tags:
        assert not any(name.startswith("on") or name == "style" for name in found), (tag, found)
        if tag == "script":
            assert found["src"] == "/static/pages.js"


def test_the_script_is_small() -> None:
    scripts = list((ROOT / "evalhouse" / "pages" / "static").glob("*.js"))
    assert sum(script.stat().st_size for script in scripts) < 150_000


def test_a_board_has_the_figures_of_the_command(client: TestClient, demo: Warehouse) -> None:
    for options in ({"level": "l2"}, {"level": "overall", "strategy": "vanilla", "judge": "none"}):
        words = "&".join(f"{name}={value}" for name, value in options.items())
        shown = [row for row in page(client, f"/board?benchmark=MMBench&{words}").rows if row]
        text = render.render_boards(demo.leaderboard("MMBench", **options), "csv", digits=2)
        heading, *rows = list(csv.reader(io.StringIO(text)))
        left = [n for n, name in enumerate(heading) if name not in ("Dataset", "Run")]
        # Nothing is empty in CSV, and a dash on a page.
        assert shown == [[row[n] or "-" for n in left] for row in (heading, *rows)]


@pytest.mark.slow
def test_a_board_has_the_lines_that_are_chosen(client: TestClient, demo: Warehouse) -> None:
    address = "/board?benchmark=MMBench&level=l2&judge=none"
    (board,) = demo.leaderboard(
        "MMBench", level="l2", judge="none", models=["LLaVA*", "*gpt*"], top=3, sort="AR"
    )
    seen = page(client, f"{address}&models=LLaVA*,+*gpt*&top=3&sort=AR")
    heading, *rows = [row for row in seen.rows if row]
    assert [row[heading.index("Model")] for row in rows] == [line.model for line in board.lines]
    assert f"3 of {board.n_models} models are shown" in "".join(seen.text)
    given = {
        str(f["name"]): f.get("value") for tag, f in seen.tags if tag == "input" and f.get("name")
    }
    assert (given["models"], given["top"]) == ("LLaVA*, *gpt*", "3")
    (board,) = demo.leaderboard("MMBench", level="l2", judge="none", by="parameters")
    seen = page(client, f"{address}&by=parameters")
    groups = [row[0] for row in seen.rows if len(row) == 1]
    assert groups == list(dict.fromkeys(line.group for line in board.lines))
    assert not any("sortable" in (f.get("class") or "") for tag, f in seen.tags if tag == "table")
    for wrong, why in (
        ("top=0", "--top is at least 1"),
        ("models=Nobody*", "no model fits"),
        ("by=age", "family or parameters"),
    ):
        assert why in client.get(f"{address}&{wrong}").text, wrong
    assert client.get(f"{address}&top=x").status_code == 404


def test_a_long_board_has_several_pages(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/board?benchmark=MMBench&level=overall&judge=none"
    heading, *whole = [row for row in page(client, address).rows if row]
    assert "page 1 of" not in " ".join(page(client, address).text)
    monkeypatch.setattr(live, "LINES", len(whole) - 2)
    # A page of it that nobody has asked for yet; the last one stands for any behind it.
    for place, rows in {"1&intervals=": whole[:-2], "2": whole[-2:], "9": whole[-2:]}.items():
        seen = page(client, f"{address}&page={place}")
        assert [row for row in seen.rows if row] == [heading, *rows], place
        assert f"of 2, {len(whole)} lines" in "".join(seen.text)
        models = [a for a in seen.links if a.startswith("/model")]
        assert len(models) == len(rows)
    # A heading sorts all of its lines, not those of a page.
    (by_name,) = [a for a in seen.links if "sort=Model" in a]
    first, *names = [row[1] for row in page(client, by_name).rows if row]
    assert (first, names) == ("Model", sorted((row[1] for row in whole), key=str.lower)[:-2])
    assert client.get(f"{address}&sort=Nothing").status_code == 200
    assert "no column &#39;Nothing&#39;" in client.get(f"{address}&sort=Nothing").text


def test_the_list_of_runs_has_pages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def runs(address: str) -> list[list[str]]:
        rows = [row for row in page(client, address).rows if row]
        return rows[next(n for n, row in enumerate(rows) if "Read at" in row) + 1 :]

    whole = runs("/")
    monkeypatch.setattr(live, "LINES", len(whole) - 3)
    assert runs("/?page=2") == whole[-3:]
    assert "page 2 of 2" in "".join(page(client, "/?page=2").text)
    answer = client.get("/?page=3")
    assert answer.status_code == 404
    assert "has no page 3" in answer.text


@pytest.mark.slow
def test_of_many_runs_one_is_written(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of thousands would be most of a page."""
    monkeypatch.setattr(page_data, "MOST_OFFERED", 2)
    for address, name in (
        ("/questions?run=1&show=all&text=a", "vs"),
        ("/model?name=PandaGPT&with=Shikra", "with"),
    ):
        seen = page(client, address)
        (written,) = [
            found for tag, found in seen.tags if tag == "input" and found.get("name") == name
        ]
        assert written.get("value") == ("Shikra" if name == "with" else "")
        assert not any(tag == "select" and found.get("name") == name for tag, found in seen.tags)


def test_a_board_of_many_runs_says_first_what_it_is_made_of(
    client: TestClient, demo: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "MOST_LINES", 3)
    address = "/board?benchmark=MMBench&level=overall&judge=none&of=answered"
    ((n,),) = demo.sql("SELECT count(*) FROM main.run WHERE superseded_by IS NULL").rows()
    said = "".join(page(client, address).text)
    assert f"made of {n} runs, from stored results" in said
    assert len([row for row in page(client, address).rows if row]) == n + 1


def test_a_board_has_pictures_of_its_own_rows(client: TestClient, demo: Warehouse) -> None:
    seen = page(client, "/board?benchmark=MMBench&level=l2&strategy=vanilla&judge=none")
    places = [found["src"] or "" for tag, found in seen.tags if tag == "img"]
    assert [place.partition("drawn=")[2].partition("&")[0] for place in places] == [
        "heatmap", "bars", "radar",
    ]  # fmt: skip
    answer = client.get(places[0])
    assert answer.headers["content-type"].startswith("image/svg+xml")
    (board,) = demo.leaderboard("MMBench", level="l2", strategy="vanilla", judge="none")
    written = {"".join(node.itertext()) for node in ElementTree.fromstring(answer.text).iter()}
    assert {line.model for line in board.lines} <= written
    assert {
        percent(cell.score, 1) for line in board.lines for cell in line.cells if cell
    } <= written
    for wrong in ("drawn=pie", "drawn=heatmap&place=7", "drawn=heatmap&place=x"):
        assert client.get(f"/figure?benchmark=MMBench&{wrong}").status_code == 404, wrong
    overall = page(client, "/board?benchmark=MMBench&level=overall")
    assert not any("radar" in (found.get("src") or "") for _, found in overall.tags)


def test_a_comparison_has_the_figures_of_the_command(client: TestClient, demo: Warehouse) -> None:
    seen = page(client, "/compare?a=LLaVA&b=Shikra")
    found = demo.compare("LLaVA", "Shikra")
    heading, *rows = list(csv.reader(io.StringIO(render.render_comparison(found, "csv"))))
    left = [n for n, name in enumerate(heading) if name != "Dataset"]
    assert seen.rows[: len(rows) + 1] == [[row[n] for n in left] for row in (heading, *rows)]
    overall = found.frame.row(0, named=True)
    sides = [row for row in seen.rows if row and row[0] in ("LLaVA right", "LLaVA wrong")]
    assert sides[0][2] == str(overall["n_a_alone"])
    assert sides[1][1] == str(overall["n_b_alone"])


@pytest.mark.slow
def test_a_cell_leads_to_its_wrong_answers_and_on(client: TestClient, demo: Warehouse) -> None:
    board = page(client, "/board?benchmark=MMBench")
    cell = next(link for link in board.links if link.startswith("/questions"))
    wrong = page(client, f"{cell}&show=wrong")
    run = int(cell.partition("run=")[2].partition("&")[0])
    ((n, first),) = demo.sql(
        f"SELECT count(*), arg_min(question_key, question_id) FROM question_result "
        f"WHERE run_id = {run} AND strategy = 'circular' AND judge = '{JUDGE}' AND score = 0"
    ).rows()
    assert wrong.rows[1][0] == first
    assert f"{n:,} questions: wrong" in " ".join("".join(wrong.text).split())
    question = page(client, next(link for link in wrong.links if link.startswith("/question?")))
    assert f"1 of {n:,}" in "".join(question.text)
    (onward,) = (found["href"] for tag, found in question.tags if found.get("data-key") == "j")
    assert onward
    assert f"2 of {n:,}" in "".join(page(client, onward).text)


@pytest.mark.slow
def test_filters_of_questions(client: TestClient, demo: Warehouse) -> None:
    base = f"/questions?run=1&judge={JUDGE}"
    of_pass = (
        "SELECT question_id, list(DISTINCT resolved_by) AS b, string_agg(CAST(CAST(score AS INT) AS VARCHAR), '' "
        f"ORDER BY pass) AS p FROM pass_result WHERE run_id = 1 AND judge = '{JUDGE}' GROUP BY question_id"
    )
    ((n,),) = demo.sql(
        f"SELECT count(*) FROM ({of_pass}) WHERE p = '1011' AND list_contains(b, 'judge')"
    ).rows()
    assert n > 0
    assert f"{n:,} question" in "".join(page(client, f"{base}&by=judge&pattern=1011").text)
    ((right, partly),) = demo.sql(
        "SELECT count(*) FILTER (score >= 1), count(*) FILTER (score > 0 AND score < 1) FROM question_result "
        f"WHERE run_id = 1 AND judge = '{JUDGE}' AND strategy = 'vanilla_all'"
    ).rows()
    for which, n in (("right", right), ("partly", partly)):
        assert n > 0
        text = page(client, f"{base}&strategy=vanilla_all&show={which}").text
        assert f"{n:,} questions: {which}" in " ".join("".join(text).split())
    key = page(client, f"{base}&text=question+17+on")
    assert [row[0] for row in key.rows[1:]] == ["17"]
    differing = page(client, f"{base}&vs_judge=none&side=any")
    ((n,),) = demo.sql(
        "SELECT count(*) FROM question_result AS a JOIN question_result AS b USING (run_id, question_id, strategy) "
        f"WHERE run_id = 1 AND strategy = 'circular' AND a.judge = '{JUDGE}' AND b.judge = 'none' "
        "AND a.score IS DISTINCT FROM b.score"
    ).rows()
    assert f"{n:,} question" in "".join(differing.text)


@pytest.mark.slow
def test_suspect_keys_lead_to_their_questions(client: TestClient, demo: Warehouse) -> None:
    with demo.reading() as con:
        found = studies.rows(con, "suspect_answer", {"judge": JUDGE})
    seen = page(client, f"/suspects?run=3&judge={JUDGE}")
    shown = [(row[0], row[1], row[2], row[4]) for row in seen.rows[1:]]
    assert shown == found.select("question_key", "answer", "other", "why").rows()[: len(shown)]
    assert len(shown) == min(found.height, 500) > 5
    assert f"{found.height:,} questions" in " ".join("".join(seen.text).split())
    first = next(link for link in seen.links if link.startswith("/question?"))
    assert "run=3" in first
    assert found["question_key"][0] in "".join(page(client, first).text)
    for place in (
        "/board?benchmark=MMBench",
        "/model?name=LLaVA",
        f"/questions?run=3&judge={JUDGE}",
    ):
        assert any(link.startswith("/suspects?") for link in page(client, place).links), place


@pytest.mark.slow
def test_show_says_which_keys_may_be_wrong(demo: Warehouse) -> None:
    with demo.reading() as con:
        (suspect,) = studies.rows(con, "suspect_answer", {"judge": "none", "place": 1})[
            "question_key"
        ]
        for key in (suspect, "1", "2", "3"):
            (view,) = show.show(con, key, model="LLaVA")
            votes = Counter(
                session.frame_of(
                    con,
                    "SELECT p.predicted, p.answer FROM pass_result AS p JOIN main.question AS q USING (question_id) "
                    "WHERE q.question_key = ? AND p.pass = 0 AND p.judge = ? AND p.predicted <> 'X'",
                    [key, view.rival["judge"] if view.rival else "none"],
                ).rows()
            )
            n_key = sum(n for (said, right), n in votes.items() if said == right)
            n_other = max((n for (said, right), n in votes.items() if said != right), default=0)
            text = show.render(view)
            assert ("the key may be wrong" in text) == (n_other > max(n_key, 1)), key
            if view.rival:
                assert f"{n_other} of {votes.total()} models name" in " ".join(text.split())
                assert view.rival["n_for_key"] == n_key
            assert key != suspect or view.rival


def test_what_is_not_there_is_said(client: TestClient) -> None:
    for path in (
        "/board?benchmark=Nothing",
        "/board",
        "/questions?run=x",
        "/questions?run=99999",
        "/model?name=nobody",
        "/compare?a=LLaVA&b=nobody",
        f"/picture/{'0' * 64}",
        "/picture/..%2f..%2fsecret",
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "Traceback" not in answer.text


@pytest.mark.slow
def test_pictures_are_those_of_the_hash(client: TestClient, demo: Warehouse, site: Site) -> None:
    ((name, question),) = demo.sql(
        "SELECT sha256, question_id FROM main.question_image ORDER BY question_id LIMIT 1"
    ).rows()
    seen = page(client, f"/question?run=1&question={question}")
    assert ("img", f"/picture/{name}") in [(tag, found.get("src")) for tag, found in seen.tags]
    answer = client.get(f"/picture/{name}")
    assert answer.headers["content-type"] == "image/png"
    assert answer.content == site.house.images.read(name)


def test_sql_reads_and_cannot_write(client: TestClient, demo: Warehouse) -> None:
    query = (
        "SELECT model, score FROM leaderboard WHERE level = 'overall' AND average = 'micro' LIMIT 3"
    )
    assert len(page(client, f"/sql?q={query}").rows) > 3
    got = client.get(
        f"/sql.csv?q={query} ORDER BY ALL".replace("LIMIT 3 ORDER BY ALL", "ORDER BY ALL")
    )
    expected = demo.sql(query.replace("LIMIT 3", "ORDER BY ALL"))
    assert got.text.splitlines() == render.render_frame(expected, "csv").splitlines()
    packed = client.get(f"/sql.parquet?q={query}")
    assert pl.read_parquet(io.BytesIO(packed.content)).columns == ["model", "score"]
    for wrong in ("DELETE FROM main.run", "ATTACH 'x.db'", "FROM read_csv('/etc/passwd')"):
        answer = client.get("/sql", params={"q": wrong})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
    ((n,),) = demo.sql("SELECT count(*) FROM main.run").rows()
    assert n == 16


def test_another_site_is_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/", headers={"host": f"127.0.0.1:{PORT + 1}"}).status_code == 403
    cross = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/picture/x", headers=cross).status_code == 403
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    linked = client.get("/sql?q=SELECT+42+AS+answer", headers=link)
    assert "has not run" in linked.text
    assert 'id="result"' not in linked.text
    assert client.get("/sql.csv?q=SELECT+42", headers=link).status_code == 403
    assert client.get("/sql.csv?q=DROP+TABLE+main.run").status_code == 400
    assert (
        client.post("/label", data={}, headers={"origin": "http://evil.example"}).status_code == 403
    )
    assert client.post("/label", data={}).status_code == 403
    assert client.put("/", headers={"origin": HERE}).status_code == 405


def test_another_address_wants_a_secret(site: Site) -> None:
    door = Door("192.0.2.7", PORT, "s3cret")
    away = client_of(site, door)
    host = {"host": f"192.0.2.7:{PORT}"}
    assert away.get("/static/pages.css", headers=host).status_code == 401
    assert away.get("/?token=wrong", headers=host).status_code == 401
    let_in = away.get("/static/pages.css?token=s3cret", headers=host, follow_redirects=False)
    assert let_in.status_code == 303
    assert "s3cret" not in let_in.headers["location"]
    cookie = let_in.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "strict" in cookie.lower()
    known = host | {"cookie": cookie.partition(";")[0]}
    assert away.get("/static/pages.css", headers=known).status_code == 200
    assert "s3cret" in door.address


@pytest.mark.slow
def test_a_label_is_stored_at_once_and_counts(tmp_path: Path, demo: Warehouse) -> None:
    path = tmp_path / "labelled.duckdb"
    path.write_bytes(demo.path.read_bytes())
    house = QuickHouse(path)
    site = Site(pages_of(house))
    client = client_of(site)
    address = f"/label?annotator=eva&judge={JUDGE}"
    # In its order, and each once: what is labelled is no longer there.
    expected = house.sql("SELECT subject_hash FROM label_todo ORDER BY place LIMIT 2")
    said = []
    for _ in range(2):
        shown = client.get(address)
        seen = Seen(shown.text)
        assert JUDGE not in "".join(seen.text)
        assert not any(model in "".join(seen.text) for model in ("LLaVA", "Shikra", "OpenFlamingo"))
        fields = {str(f["name"]): f.get("value") or "" for tag, f in seen.tags if tag == "input"}
        assert (
            client.post(
                "/label", data=fields | {"token": "old", "reply": "A"}, headers={"origin": HERE}
            ).status_code
            == 403
        )
        wrong = client.post("/label", data=fields | {"reply": "nonsense"}, headers={"origin": HERE})
        assert wrong.status_code == 404
        stored = client.post(
            "/label", data=fields | {"reply": "A"}, headers={"origin": HERE}, follow_redirects=False
        )
        assert stored.status_code == 303
        said.append(fields["subject"])
    assert said == expected["subject_hash"].to_list()
    rows = house.sql("SELECT judge_a, judge_b, n FROM judge_agreement").rows()
    assert rows == [("eva", JUDGE, 2)]
    # Whoever comes next begins with the same ones.
    for name, place in (("eva", 3), ("bob", 1)):
        shown = client.get(f"/label?annotator={name}&judge={JUDGE}").text
        following = house.sql(f"SELECT subject_hash FROM label_todo WHERE place = {place}").item()
        assert f'name="subject" value="{following}"' in shown
    assert "eva" in "".join(page(client, "/judges").text)
    again = house.sql(
        "SELECT g.kind, j.reply, j.origin FROM main.judgment AS j JOIN main.judge AS g USING (judge_id) "
        "WHERE g.name = 'eva'"
    )
    assert again.rows() == [("human", "A", "human")] * 2


def test_label_todo_is_the_verdicts_once_each(demo: Warehouse) -> None:
    rows = demo.sql("SELECT subject_hash, run_id, question_id, pass, judge FROM label_todo").rows()
    judged: dict[str, tuple[int, int, int]] = {}
    for subject, *place in demo.sql(
        "SELECT subject_hash, question_id, pass, run_id FROM judged_pass WHERE resolved_by = 'judge'"
    ).rows():
        judged[subject] = min(judged.get(subject, tuple(place)), tuple(place))  # type: ignore[assignment]
    assert {row[0]: (row[2], row[3], row[1]) for row in rows} == judged
    assert len(rows) == len(judged) > 1_000
    assert {row[4] for row in rows} == {JUDGE}


@pytest.mark.slow
def test_hostile_texts_are_texts(tmp_path: Path) -> None:
    site = site_of(hostile_house(tmp_path / "hostile.duckdb"))
    client = client_of(site)
    places = ["/", "/board?benchmark=Hostile&level=topic", "/judges", "/questions?run=1"]
    places += ["/model?" + urlencode({"name": HOSTILE[0]})]
    places += [
        f"/question?run=1&question={n}&{urlencode({'judge': HOSTILE[2]})}" for n in (1, 3, 13, 20)
    ]
    plain: set[str] = set()
    for place in places:
        seen = page(client, place)
        plain |= {tag for tag, _ in seen.tags}
        for tag, found in seen.tags:
            assert not any(name.startswith("on") for name in found), (tag, found)
            for name in ("href", "src", "action"):
                assert (found.get(name) or "/").startswith(("/", "#")), (tag, found)
    assert plain.isdisjoint({"iframe", "base", "style", "xmp", "plaintext", "math", "object"})
    text = "".join(seen.text)
    assert "\u202e" not in text


def test_the_pages_ask_queries_and_warehouse_alone() -> None:
    for file in (ROOT / "evalhouse" / "pages").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = (
                [one.name for one in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for name in names:
                top = name.partition(".")[0]
                assert top not in ("ingest", "judge", "local_models"), (file, name)
                assert top != "evalhouse" or name.startswith("evalhouse.pages"), (file, name)
