"""Work off the event loop: bounded, in time, and with its own errors."""

import asyncio
import threading
import time

import pytest

from catalog.publish.server.desk import Bounds, BusyError, Desk, TooLongError


def test_what_the_work_gives_or_raises_comes_back() -> None:
    async def ask() -> None:
        desk = Desk("test", Bounds(workers=1, waiting=0, seconds=5))
        assert await desk.ask(lambda: 6 * 7) == 42
        with pytest.raises(ZeroDivisionError):
            await desk.ask(lambda: 1 // 0)
        with pytest.raises(TimeoutError) as own:
            await desk.ask(raise_timeout)
        assert not isinstance(own.value, TooLongError)
        assert await desk.ask(lambda: 1) == 1
        desk.close()

    asyncio.run(ask())


def raise_timeout() -> None:
    raise TimeoutError("of the work")


def test_no_more_is_taken_on_than_there_is_room_for() -> None:
    gate = threading.Event()

    async def ask() -> None:
        desk = Desk("test", Bounds(workers=1, waiting=2, seconds=5))
        taken = [asyncio.create_task(desk.ask(gate.wait)) for _ in range(3)]
        await asyncio.sleep(0.05)
        with pytest.raises(BusyError):
            await desk.ask(gate.wait)
        gate.set()
        assert await asyncio.gather(*taken) == [True] * 3
        await asyncio.sleep(0.05)
        assert await desk.ask(lambda: "room again") == "room again"
        desk.close()

    asyncio.run(ask())


def test_work_that_takes_too_long_is_not_waited_for_but_keeps_its_place() -> None:
    gate = threading.Event()

    async def ask() -> None:
        desk = Desk("test", Bounds(workers=1, waiting=0, seconds=0.1))
        began = time.perf_counter()
        with pytest.raises(TooLongError):
            await desk.ask(gate.wait)
        assert time.perf_counter() - began < 2
        with pytest.raises(BusyError):
            await desk.ask(gate.wait)
        gate.set()
        await asyncio.sleep(0.1)
        assert await desk.ask(lambda: "free") == "free"
        desk.close()

    asyncio.run(ask())


def test_what_waits_too_long_gives_its_place_back() -> None:
    gate = threading.Event()

    async def ask() -> None:
        desk = Desk("test", Bounds(workers=1, waiting=1, seconds=0.1))
        first = asyncio.create_task(desk.ask(gate.wait))
        second = asyncio.create_task(desk.ask(gate.wait))
        done = await asyncio.gather(first, second, return_exceptions=True)
        assert [type(each) for each in done] == [TooLongError, TooLongError]
        await asyncio.sleep(0.05)
        third = asyncio.create_task(desk.ask(gate.wait))
        gate.set()
        assert await third is True
        desk.close()

    asyncio.run(ask())
