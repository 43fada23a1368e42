"""The list of a cell's questions, a page at a time: filters, releases next to each other, the way on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from evalhouse import Warehouse
from evalhouse.pages import computing, live, page_data, site
from evalhouse.pages.choices import CellChoices, address_of
from queries import session
from tests.tables import write_jsonl
from tests.webpages import Seen, client_of, site_of

_SAID = ("A", "B", "(A) pear", "Neither, I fear.", "answer is a", "A pear it is", "No idea.")
_N = 11
_RUN = "/questions?run=1&strategy=vanilla"


def _keys(client: TestClient, address: str) -> list[str]:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text[-2000:]
    return [row[0] for row in Seen(answer.text).rows[1:]]


@pytest.fixture
def lab(house: Warehouse) -> Warehouse:
    folder = house.path.parent
    questions = [
        {"question_key": f"q{n}", "question": f"What {n}?", "A": "pear", "B": "apple", "C": "plum", "answer": "A"}
        for n in range(_N)
    ]  # fmt: skip
    answers = [{"question_key": f"q{n}", "prediction": _SAID[n % len(_SAID)]} for n in range(_N)]
    unread = [row["question_key"] for row in answers if row["prediction"] == _SAID[3]]
    replies = [{"question_key": key, "reply": "A", "judge": "j"} for key in unread[:1]]
    house.ingest(write_jsonl(folder / "q.jsonl", questions), benchmark="Own")
    house.ingest(write_jsonl(folder / "a.jsonl", answers), benchmark="Own", model="m")
    house.ingest(write_jsonl(folder / "j.jsonl", replies), benchmark="Own", model="m")
    return house


@pytest.mark.slow
def test_right_wrong_and_pending(lab: Warehouse) -> None:
    client = client_of(site_of(lab))
    shown = {
        show: _keys(client, f"{_RUN}&judge=j&show={show}")
        for show in ("all", "right", "wrong", "partly", "pending")
    }
    rows = lab.sql(
        "SELECT question_key, score FROM question_result WHERE strategy = 'vanilla' AND judge = 'j' "
        "ORDER BY question_id"
    ).rows()
    assert shown == {
        "all": [key for key, _ in rows],
        "right": [key for key, score in rows if score is not None and score >= 1],
        "wrong": [key for key, score in rows if score is not None and score <= 0],
        "partly": [],
        "pending": [key for key, score in rows if score is None],
    }
    assert all(shown[one] for one in ("right", "wrong", "pending"))
    assert "q3" in shown["right"]  # what the judge said


@pytest.mark.slow
def test_where_two_releases_differ(lab: Warehouse) -> None:
    other = "vlmevalkit_e8e78f0"
    query = "SELECT question_key, score FROM question_result WHERE strategy = 'vanilla' AND judge = 'none'"
    with lab.reading() as con:
        scores = []
        for release in ("latest", other):
            session.use_release(con, release)
            scores.append(dict(session.frame_of(con, f"{query} ORDER BY question_id").rows()))
    ours, theirs = scores
    client = client_of(site_of(lab))
    address = f"{_RUN}&judge=none&vs_release={other}"
    assert _keys(client, address) == [key for key in ours if ours[key] != theirs[key]] != []
    both = [key for key in ours if ours[key] == theirs[key] == 1]
    assert _keys(client, f"{address}&side=both") == both != []
    # From there it is the other one that alone is right.
    back = f"{_RUN}&judge=none&release={other}&vs_release=latest&side=a"
    assert _keys(client, back) == [key for key in ours if ours[key] < theirs[key]] != []
    assert client.get(f"{_RUN}&judge=none&vs_release=nothing").status_code == 404


@pytest.mark.slow
def test_a_page_at_a_time(lab: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PER_PAGE", 4)
    monkeypatch.setattr(live, "AT_ONCE", 6)
    monkeypatch.setattr(site, "BLOCK", 8)
    asked_for: list[int] = []
    ask: Callable[..., list[page_data.Row]] = page_data.questions

    def counting(*words: object, **more: object) -> list[page_data.Row]:
        found = ask(*words, **more)
        asked_for.append(len(found))
        return found

    monkeypatch.setattr(page_data, "questions", counting)
    client = client_of(site_of(lab))
    address = f"{_RUN}&judge=none"
    every = [f"q{n}" for n in range(_N)]
    assert [key for n in range(1, 4) for key in _keys(client, f"{address}&page={n}")] == every
    # A page after the last one is the last one.
    assert _keys(client, f"{address}&page=99") == every[8:]
    assert "page 3 of 3" in client.get(f"{address}&page=99").text
    assert _keys(client, f"{address}&text=nowhere+at+all&page=3") == []
    assert asked_for == [8, 3, 0]
    rows = lab.sql(
        "SELECT question_id, score FROM question_result WHERE strategy = 'vanilla' AND judge = 'none' "
        "ORDER BY question_id"
    ).rows()
    asked_for.clear()
    for place, (question, _) in enumerate(rows):
        seen = Seen(
            client.get(f"/question?run=1&strategy=vanilla&judge=none&question={question}").text
        )
        assert f"{place + 1} of {_N}" in "".join(seen.text)
        to = {
            found["data-key"]: int(
                (found["href"] or "").partition("question=")[2].partition("&")[0]
            )
            for tag, found in seen.tags
            if tag == "a" and found.get("data-key") in ("j", "k", "w")
        }
        after = rows[place + 1 :]
        wrong = [one for one, score in after if score == 0]
        expected = {
            "k": rows[place - 1][0] if place else None,
            "j": after[0][0] if after else None,
            "w": wrong[0] if wrong else None,
        }
        assert to == {key: one for key, one in expected.items() if one is not None}, place
    # Those around one are asked once.
    assert asked_for == [8, 3]
    other = f"/question?run=1&strategy=vanilla&judge=none&show=right&question={rows[1][0]}"
    right = [one for one, score in rows if score == 1]
    asked_for.clear()
    # Not one of its list: shown all the same, and the list stays as it is.
    assert "next wrong" in client.get(other).text
    assert f"of {len(right)}" not in client.get(other).text
    assert asked_for == [0]
    assert len(_keys(client, f"{address}&show=right")) == min(len(right), 4)


def test_what_is_compared_is_said_in_the_address() -> None:
    plain = CellChoices(3, judge="j")
    assert address_of(plain) == {"run": 3, "judge": "j"}
    assert not plain.is_compared
    assert address_of(CellChoices(3, vs_release="paper_v1")) == {"run": 3, "vs_release": "paper_v1"}
    assert CellChoices(3, vs_release="paper_v1").is_compared


@pytest.mark.slow
@pytest.mark.as_users
def test_a_long_page_first_says_what_it_computes(
    house: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = house.path.parent
    rows = [
        {"question_key": f"q{n}", "question": "?", "A": "a", "B": "b", "answer": "A"}
        for n in range(5)
    ]
    said = [
        {"question_key": f"q{n}", "prediction": "A", "model": m} for n in range(5) for m in "xy"
    ]
    house.ingest(write_jsonl(folder / "q.jsonl", rows), benchmark="Own", refresh=False)
    house.ingest(write_jsonl(folder / "a.jsonl", said), benchmark="Own", refresh=False)
    place, table = "/board?benchmark=Own", '<table class="figures board'
    # A short one comes at once.
    short = client_of(site_of(house)).get(place)
    assert table in short.text
    assert "Results of 2 of 2 runs are out of date" in short.text
    monkeypatch.setattr(computing, "MOST_AT_ONCE", 9)
    client = client_of(site_of(house))
    for address, why in (
        (place, "from their 10 answers"),
        ("/", "from their 10 answers"),
        ("/judges", "from their 10 answers"),
        ("/model?name=x", "from their 10 answers"),
        ("/suspects?run=1", "Studies are not kept: this page is computed from 10 answers"),
    ):
        first = client.get(address)
        assert first.status_code == 200, address
        assert why in first.text, address
        (again,) = (
            found for tag, found in Seen(first.text).tags if tag == "meta" and "http-equiv" in found
        )
        assert again == {"http-equiv": "refresh", "content": "0"}
        assert first.headers["cache-control"] == "no-store"
        assert "data-computing" not in client.get(address).text, address
    assert table in client.get(place).text
    other = client.get(f"{place}&release=paper_v1")
    assert "The release paper_v1 is not installed in this file" in other.text
    # What is kept comes at once.
    house.refresh()
    assert table in client_of(site_of(house)).get(place).text
