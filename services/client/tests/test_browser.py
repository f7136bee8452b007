"""Parts of Weir's browser by themselves, in Node.js."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from weir_client import web_player
from weir_lab.players import native, root

pytestmark = pytest.mark.usefixtures("kept_players")

BROWSER = Path(web_player.__file__).parent / "browser"

CHUNKED = """
const { Chunked } = require('./chunked.cjs');
const body = Buffer.from('4\\r\\nmoof\\r\\nA;x=y\\r\\n0123456789\\r\\n0\\r\\n\\r\\n');
const found = [];
for (let cut = 1; cut < body.length; cut += 1) {
  const chunked = new Chunked();
  let data = '';
  for (const part of [body.subarray(0, cut), body.subarray(cut)])
    chunked.feed(part, (bytes) => { data += bytes; });
  found.push([data, chunked.ended]);
}
"""
STREAM = """
const { Stream } = require('./stream.cjs');
const box = (type, size) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(size);
  bytes.write(type, 4, 'latin1');
  return bytes;
};
const body = Buffer.concat([box('moof', 100), box('mdat', 50), box('moof', 100), box('mdat', 70)]);
const found = [];
for (let cut = 1; cut < body.length; cut += 1) {
  const stream = new Stream('');
  let passed = 0;
  stream.length = body.length;
  stream.onPiece = (piece) => { passed += piece.length; };
  stream.feed(body.subarray(0, cut));
  const droppable = stream.droppable;
  stream.dropped(droppable);
  stream.feed(body.subarray(cut + droppable));
  found.push([cut, droppable, passed, stream.done]);
}
"""
REQUEST = """
const { Headers, Request } = require('./fetch.cjs').globals({});
globalThis.location = { href: 'http://server/' };
const asked = [{ 'X-Of': 1 }, [['x-of', 1]], new Headers({ 'x-of': 1 })];
const found = asked.map((headers) => new Request('/a', { headers }).headers.get('X-OF'));
"""
VIDEO = """
const { HTMLVideoElement } = require('./video.cjs');
const found = {};
for (const [what, change] of [
  ['rate', (video) => { video.playbackRate = 1.1; }],
  ['seek', (video) => { video.currentTime = 5; }],
  ['pause', (video) => video.pause()],
]) {
  const video = new HTMLVideoElement();
  const media = { duration: Infinity, sourceBuffers: [{ ranges: [[0, 1]] }] };
  Object.assign(video, { media, paused: false, running: true, at: 1, since: 0, limit: 1 });
  change(video);
  found[what] = video.stalledSince !== null;
}
"""
TIMERS = """
require('./timers.cjs').install();
const found = { order: [], cleared: [], afterOthers: [], waitedMs: [] };
const note = (given) => found.order.push(given);
setImmediate(note, 'task');
setTimeout(note, 0, 'zero');
setTimeout(note, undefined, 'nothing');
setImmediate(note, 'task');
for (const ms of [0, 5]) {
  clearTimeout(setTimeout(() => found.cleared.push(ms), ms));
  clearInterval(setInterval(() => found.cleared.push(ms), ms));
}
clearTimeout(undefined);
clearTimeout(42);
const nest = (left) => {
  const since = performance.now();
  let othersRan = false;
  setTimeout(() => {
    found.afterOthers.push(othersRan);
    found.waitedMs.push(performance.now() - since);
    if (left > 1) nest(left - 1);
  }, 0);
  setImmediate(() => { othersRan = true; });
};
nest(8);
"""
ALARMS = """
const alarm = require('./alarm.cjs');
const found = { dueMs: [], atMs: [] };
const { at } = alarm;
alarm.at = (ms, action) => {
  found.dueMs.push(ms - alarm.bootMs);
  return at(ms, () => {
    found.atMs.push(performance.now() - alarm.bootMs);
    action();
  });
};
"""
INTERVAL = """
require('./timers.cjs').install();
const interval = setInterval(() => {
  if (found.atMs.length === 40) clearInterval(interval);
}, 5);
"""
BEATS = """
const end = require('./beat.cjs').every(25, () => {
  if (found.atMs.length === 20) end();
});
"""
TOLD = """
const alarm = require('./alarm.cjs');
const { HTMLVideoElement } = require('./video.cjs');
const after = (ms, action) => alarm.at(performance.now() + ms, action);
const found = [];
const video = new HTMLVideoElement();
for (const type of ['play', 'waiting', 'playing', 'timeupdate', 'progress'])
  video.addEventListener(type, () => {
    found.push([type, video.currentTime]);
    if (type === 'progress') video.pause();
  });
video.src = '';
video.media = { duration: 60, sourceBuffers: [{ ranges: [] }], attach() {} };
video.hasMetadata();
video.play();
after(100, () => {
  video.media.sourceBuffers[0].ranges = [[0, 60]];
  video.bufferedChanged();
  after(800, () => process.exit());
});
"""


def of_node(script: str) -> Any:
    """What a script found when it had ended."""
    at_its_end = "process.on('exit', () => console.log(JSON.stringify(found)));"
    said = subprocess.run(
        ["node", "-e", f"{script}\n{at_its_end}"],
        cwd=BROWSER, env={**os.environ, "WEIR_NATIVE": str(root() / native())},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(said.stdout)


def test_a_body_in_chunks_is_read_wherever_it_is_cut() -> None:
    found = of_node(CHUNKED)
    assert found and all(each == ["moof0123456789", True] for each in found)


def test_of_a_stream_media_data_alone_is_dropped_to_its_end() -> None:
    found = of_node(STREAM)
    # Media data are the bytes from 108 to 150 and from 258 to 320.
    for cut, droppable, passed, done in found:
        expected = 150 - cut if 108 <= cut < 150 else 320 - cut if cut >= 258 else 0
        assert (droppable, passed, done) == (expected, 320, True), cut


def test_headers_of_a_request_may_be_written_in_any_way() -> None:
    assert of_node(REQUEST) == ["1", "1", "1"]


def test_playback_stalls_too_where_what_changes_finds_nothing_to_play() -> None:
    assert of_node(VIDEO) == {"rate": True, "seek": True, "pause": False}


def test_timeouts_wait_as_in_a_page() -> None:
    found = of_node(TIMERS)
    assert found["order"] == ["task", "zero", "nothing", "task"]
    assert found["cleared"] == []
    # Those that lie deep wait for 4 ms.
    assert found["afterOthers"][:6] == [False] * 6
    assert min(found["waitedMs"][6:]) >= 4


def test_an_interval_is_late_by_no_more_each_time() -> None:
    found = of_node(ALARMS + INTERVAL)
    steps_ms = [later - at for at, later in pairwise(found["dueMs"])]
    assert len(steps_ms) >= 39 and steps_ms == pytest.approx([5] * len(steps_ms))
    assert all(at >= due for due, at in zip(found["dueMs"], found["atMs"], strict=False))


def test_timers_of_media_end_at_beats_that_are_whole_steps_apart() -> None:
    found = of_node(ALARMS + BEATS)
    beats = [due_ms * 64 / 1000 for due_ms in found["dueMs"]]
    assert len(beats) >= 20 and max(abs(beat - round(beat)) for beat in beats) < 0.001
    assert min(later - beat for beat, later in pairwise(beats)) >= 1.6
    assert all(at >= due for due, at in zip(found["dueMs"], found["atMs"], strict=False))


def test_a_video_tells_of_its_time_and_of_what_was_loaded_as_chromium_does() -> None:
    found = of_node(TOLD)
    assert [type_ for type_, _ in found[:3]] == ["play", "waiting", "playing"]
    times = [at_s for type_, at_s in found if type_ == "timeupdate"]
    # It tells nothing as long as the time stands still, and at a pause.
    assert times[0] > 0 and times == sorted(times)
    assert [type_ for type_, _ in found].count("progress") == 1
