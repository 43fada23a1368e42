"""Judging: plan, look up, claim, call, store, merge, until nothing is needed any more.

The warehouse is open while it is planned and while replies are merged, never in between. Replies are
durable before they count, many in one commit. One Ctrl-C stops cleanly, a second one does not wait.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from itertools import islice
from types import TracebackType
from typing import Any

from judge import entry as entries
from judge import merge, plan
from judge.answer import Answer, Ask, StoppedError
from judge.cache import Replies
from judge.claims import Claims
from judge.job import Job, Progress
from judge.reply import is_version_of
from judge.request import Request
from judge.unmerged import BUSY_SECONDS, Unmerged
from warehouse import connection, identity
from warehouse.errors import BusyError, EvalhouseError
from warehouse.files.json_cache import CacheError

_Entries = Mapping[str, Mapping[str, Any]]


class Writer:
    """Stores entries, in the order of arrival, for as long as the `async with` lasts.

    Whatever arrives while a commit is on its way to the disk goes into the next one together: a
    commit for each reply would halve the rate.
    """

    def __init__(self, replies: Replies, claims: Claims, *, tag: str) -> None:
        self._replies = replies
        self._claims = claims
        self._tag = tag
        self._waiting: list[tuple[_Entries, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._ending = False

    async def __aenter__(self) -> Writer:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What has arrived is stored, also when those who brought it were cancelled.
        self._ending = True
        self._wake.set()
        await self._task

    async def keep(self, entries: _Entries) -> None:
        """Store entries and give up their claims; they are on disk when this returns.

        Raises:
            CacheError: they cannot be stored for good.
        """
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((entries, done))
        self._wake.set()
        # A caller that is cancelled does not take its reply with it.
        await asyncio.shield(done)

    async def _run(self) -> None:
        while not (self._ending and not self._waiting):
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            if not waiting:
                continue
            together = {key: entry for entries, _ in waiting for key, entry in entries.items()}
            try:
                await asyncio.to_thread(self._commit, together)
            except Exception as error:
                for _, done in waiting:
                    done.set_exception(error)
                    # The waiter may be gone; asyncio would warn that nobody retrieved the error.
                    done.exception()
            else:
                for _, done in waiting:
                    done.set_result(None)

    def _commit(self, entries: _Entries) -> None:
        self._replies.put(entries, tag=self._tag)
        self._claims.release(list(entries))


@contextmanager
def _interrupts(handle: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C calls a function; the second one cancels the task, the third is Python's own."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def first() -> None:
        loop.add_signal_handler(signal.SIGINT, second)
        handle()

    def second() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        task.cancel()

    try:
        loop.add_signal_handler(signal.SIGINT, first)
    except (NotImplementedError, ValueError, RuntimeError):
        # Not the main thread, or a system without it: Ctrl-C is as usual there.
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


Backend = Callable[[asyncio.Event], AbstractAsyncContextManager[Ask]]
"""Opens what answers requests; the event is set once nothing more is to be sent."""

_LOOK_AGAIN_SECONDS = 0.2
_FAILURES_IN_A_ROW = 20


def run(
    job: Job, backend: Backend, *, on_progress: Callable[[Progress], None] = lambda progress: None
) -> Progress:
    """Judge until nothing is needed any more, or something stops it.

    Ctrl-C stops it cleanly: what is in flight is waited for and kept. A second one does not wait:
    what has arrived is kept.

    Args:
        on_progress: callback, called with the progress after each step of it.

    Raises:
        CacheError: the cache cannot be used. Nothing was sent then.
        BusyError: the warehouse was busy before anything was planned.
        KeyboardInterrupt: Ctrl-C, twice.
    """
    try:
        return asyncio.run(_Run(job, backend, on_progress).run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


class _Run:
    """The state of one run."""

    def __init__(self, job: Job, backend: Backend, on_progress: Callable[[Progress], None]) -> None:
        self._job = job
        self._backend = backend
        self._on_progress = on_progress
        self._progress = Progress()
        self._given_up: set[tuple[str, int]] = set()
        self._failures_in_a_row = 0
        self._unread_in_a_row = 0
        self._unmerged = Unmerged(job)
        self._stop = asyncio.Event()

    async def run(self) -> Progress:
        progress = self._progress
        async with AsyncExitStack() as stack:
            stack.enter_context(_interrupts(self._interrupt))
            first = await asyncio.to_thread(self._plan)
            if not self._job.cache.is_dir() and (self._job.offline or not len(first)):
                progress.missing = list(first.requests(self._job.judge, self._job.template))
                return progress
            self._replies = Replies(self._job.cache)
            stack.callback(self._replies.close)
            self._claims = stack.enter_context(Claims(self._job.cache))
            progress.recovered = await asyncio.to_thread(
                merge.recover, self._job.path, self._replies, self._claims, wait=self._wait
            )
            wave = await asyncio.to_thread(self._plan) if progress.recovered else first
            if len(wave) and not self._job.offline:
                await asyncio.to_thread(self._prepare)
            self._writer = await stack.enter_async_context(
                Writer(self._replies, self._claims, tag=self._warehouse)
            )
            self._ask = _Lazy(stack, self._backend, self._stop)
            try:
                while len(wave) and not self._stop.is_set():
                    progress.waves += 1
                    progress.planned += len(wave)
                    self._on_progress(progress)
                    await self._judge(wave)
                    if not self._stop.is_set() and not progress.missing:
                        progress.shared += wave.n_answers - len(wave)
                    await self._merge()
                    if self._stop.is_set() or len(self._unmerged) or progress.missing:
                        break
                    wave = await asyncio.to_thread(self._plan)
            except BusyError as error:
                self._end(error)
            finally:
                await self._merge()
            progress.unmerged = len(self._unmerged)
            if not len(self._unmerged):
                await asyncio.to_thread(self._note_merged)
        return progress

    @property
    def _wait(self) -> float:
        return max(self._job.wait, BUSY_SECONDS)

    def _plan(self) -> plan.Wave:
        self._job.bring_up()
        con = connection.open_for_reading(self._job.path, wait=self._wait)
        try:
            self._warehouse = identity.of(con)
            return plan.wave(
                con,
                self._job.judge_id,
                release=self._job.release,
                need=self._job.need,
                scope=self._job.scope,
                given_up=self._given_up,
            )
        finally:
            con.close()

    def _prepare(self) -> None:
        self._replies.prepare()
        template = self._job.template
        self._replies.put({template.sha256: {"template": template.text}})

    def _note_merged(self) -> None:
        # Where it is busy, or the disk is full, the next command looks.
        with suppress(BusyError, CacheError):
            merge.recover(self._job.path, self._replies, self._claims, wait=0)

    async def _judge(self, wave: plan.Wave) -> None:
        """Settle every subject of a wave, or stop."""
        queue: asyncio.Queue[Request | None] = asyncio.Queue(maxsize=self._job.workers)
        async with asyncio.TaskGroup() as group:
            for _ in range(self._job.workers):
                group.create_task(self._work(queue))
            try:
                await self._feed(wave, queue)
            except EvalhouseError as error:
                # What is in flight is waited for. (Nothing may be put where the workers are gone:
                # after any other exception the group cancels them.)
                self._end(error)
            for _ in range(self._job.workers):
                await queue.put(None)

    async def _feed(self, wave: plan.Wave, queue: asyncio.Queue[Request | None]) -> None:
        elsewhere: list[Request] = []
        requests = wave.requests(self._job.judge, self._job.template)
        # Small steps, so that another process on the same subjects gets its share.
        while chunk := list(islice(requests, max(16, self._job.workers * self._job.together))):
            elsewhere += await self._settle(chunk, queue)
            if self._stop.is_set():
                return
        while elsewhere and not self._stop.is_set():
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            elsewhere = await self._settle(elsewhere, queue, again=True)

    async def _settle(
        self,
        requests: Sequence[Request],
        queue: asyncio.Queue[Request | None],
        *,
        again: bool = False,
    ) -> list[Request]:
        """Take what is in the cache, ask for what can be claimed, return what others ask for."""
        found = await asyncio.to_thread(self._replies.get, [r.key for r in requests])
        missing = [request for request in requests if request.key not in found]
        if self._job.offline:
            self._take(found, requests)
            self._progress.missing += missing
            self._give_up(missing)
            return []
        mine, late, batches = await asyncio.to_thread(self._claim, [r.key for r in missing])
        found |= late
        self._take(found, requests, elsewhere=again)
        for request in missing:
            if request.key in batches:
                name = batches[request.key]
                self._progress.in_batches[name] = self._progress.in_batches.get(name, 0) + 1
                self._give_up([request])
            elif request.key in mine:
                await queue.put(request)
        self._note(await self._unmerged.merge_now_and_then())
        return [
            request
            for request in missing
            if request.key not in mine and request.key not in late and request.key not in batches
        ]

    def _claim(
        self, keys: Sequence[str]
    ) -> tuple[frozenset[str], dict[str, dict[str, Any]], dict[str, str]]:
        """Claim requests: those that are ours, those with a reply by now, those in batches."""
        if not keys:
            return frozenset(), {}, {}
        mine = self._claims.claim(keys)
        # A process stores its reply before it gives up its claim.
        late = self._replies.get([key for key in keys if key in mine])
        self._claims.release(late)
        others = [key for key in keys if key not in mine]
        return mine - late.keys(), late, self._claims.batches(others) if others else {}

    def _take(
        self,
        found: Mapping[str, Mapping[str, Any]],
        requests: Sequence[Request],
        *,
        elsewhere: bool = False,
    ) -> None:
        if elsewhere:
            self._progress.elsewhere += len(found)
        else:
            self._progress.cached += len(found)
        self._unmerged.add(found, requests)
        if found:
            self._on_progress(self._progress)

    async def _work(self, queue: asyncio.Queue[Request | None]) -> None:
        while True:
            batch = [await queue.get()]
            while len(batch) < self._job.together and batch[-1] is not None and not queue.empty():
                batch.append(queue.get_nowait())
            requests = [request for request in batch if request is not None]
            if requests:
                await self._answer(requests)
            if len(requests) < len(batch):
                return

    async def _answer(self, requests: Sequence[Request]) -> None:
        if self._stop.is_set():
            await self._leave(requests)
            return
        try:
            ask = await self._ask.get()
            answers = await ask(requests)
        except EvalhouseError as error:
            # Of the server, the budget, or the run itself: nothing more is sent.
            self._end(error)
            await self._leave(requests)
            return
        except asyncio.CancelledError:
            await self._leave(requests)
            raise
        await self._keep(answers)

    async def _keep(self, answers: Sequence[Answer]) -> None:
        progress = self._progress
        good = {
            answer.request.key: entries.of_answer(
                answer, warehouse=self._warehouse, origin=self._job.origin
            )
            for answer in answers
            if answer.error is None
        }
        if good:
            try:
                await self._writer.keep(good)
            except CacheError as error:
                self._end(error)
            self._failures_in_a_row = 0
        for answer in answers:
            if answer.error is None:
                progress.asked += 1
                progress.spent += answer.cost_usd or 0.0
                self._compare_model(answer)
                self._compare_shape(answer)
            else:
                self._fail(answer)
        self._unmerged.add(good)
        bad = [answer.request for answer in answers if answer.error is not None]
        if bad:
            await self._leave(bad)
            self._give_up(bad)
        self._on_progress(progress)

    def _fail(self, answer: Answer) -> None:
        progress = self._progress
        progress.failed += 1
        progress.first_failure = progress.first_failure or answer.error
        self._unmerged.add_failure(entries.failed(answer, origin=self._job.origin))
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= self._most_in_a_row:
            self._end(
                EvalhouseError(
                    f"{self._failures_in_a_row} calls in a row came to nothing, the last one: "
                    f"{answer.error}"
                )
            )

    def _compare_shape(self, answer: Answer) -> None:
        """Stop before a server is paid for all subjects whose replies nobody here can read."""
        self._unread_in_a_row = self._unread_in_a_row + 1 if answer.is_unread else 0
        if self._unread_in_a_row >= self._most_in_a_row:
            self._end(
                EvalhouseError(
                    f"{self._unread_in_a_row} replies in a row hold nothing that is read as their text. "
                    "They are kept: the column body of main.judgment shows what the server sends"
                )
            )

    @property
    def _most_in_a_row(self) -> int:
        # Calls in flight fail together.
        return max(_FAILURES_IN_A_ROW, 2 * self._job.workers)

    def _compare_model(self, answer: Answer) -> None:
        returned = answer.returned_model
        if returned is not None and not is_version_of(returned, str(self._job.judge.model)):
            seen = self._progress.other_models
            seen[returned] = seen.get(returned, 0) + 1

    async def _leave(self, requests: Sequence[Request]) -> None:
        try:
            await asyncio.to_thread(self._claims.release, [request.key for request in requests])
        except CacheError as error:
            # Claims end with their owner at the latest.
            self._end(error)

    def _give_up(self, requests: Sequence[Request]) -> None:
        """Not again in this run; the next one asks again."""
        self._given_up.update(
            (request.content["subject_hash"], request.content["judge_sample"])
            for request in requests
        )

    def _end(self, error: EvalhouseError) -> None:
        if self._progress.error is None and not isinstance(error, StoppedError):
            self._progress.error = error
            self._progress.stopped = self._progress.stopped or str(error)
        self._stop.set()

    async def _merge(self) -> None:
        try:
            self._note(await self._unmerged.merge(patient=True))
        except EvalhouseError as error:
            self._end(error)

    def _note(self, note: str | None) -> None:
        if note is not None and note not in self._progress.notes:
            self._progress.notes.append(note)
            self._on_progress(self._progress)

    def _interrupt(self) -> None:
        if self._progress.stopped is None:
            self._progress.stopped = "interrupted"
        self._stop.set()
        self._on_progress(self._progress)


class _Lazy:
    """A backend that is opened for the first request: a full cache needs none."""

    def __init__(self, stack: AsyncExitStack, backend: Backend, stop: asyncio.Event) -> None:
        self._stack = stack
        self._backend = backend
        self._stop = stop
        self._opening = asyncio.Lock()
        self._ask: Ask | None = None

    async def get(self) -> Ask:
        async with self._opening:
            if self._ask is None:
                self._ask = await self._stack.enter_async_context(self._backend(self._stop))
            return self._ask
