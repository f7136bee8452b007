"""Connections of Weir's browser, against a server that is in no hurry, in Node.js."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from weir_client import web_player
from weir_lab.players import native, root

pytestmark = pytest.mark.usefixtures("kept_players")

BROWSER = Path(web_player.__file__).parent / "browser"

ASK = """
const net = require('node:net');
const { Exchange, headOf } = require('./exchange.cjs');
const { Pool } = require('./pool.cjs');
const { receive: native } = require('./native.cjs');

const BEGINNING = 'HTTP/1.1 200 OK\\r\\nContent-Length: 3000000\\r\\n\\r\\n';
const found = { connections: 0, closed: 0 };
const answers = {
  // In two parts, the second when the first one was told of.
  whole(socket) {
    socket.write(BEGINNING);
    socket.write(Buffer.alloc(1000000));
    goOn = () => socket.write(Buffer.alloc(2000000));
  },
  short: (socket) => socket.end(BEGINNING + 'x'.repeat(100000)),
  stuck: (socket) => socket.write(BEGINNING + 'x'.repeat(100000)),
};
let goOn = () => {};
const server = net.createServer((socket) => {
  found.connections += 1;
  socket.on('data', (asked) => answers[/ .(\\w+) /.exec(asked)[1]](socket));
  socket.on('error', () => {});
  socket.on('close', () => { found.closed += 1; });
});
const until = (holds) => new Promise((done) => {
  const looking = setInterval(() => {
    if (!holds()) return;
    clearInterval(looking);
    done();
  }, 10);
});

// What becomes of a request. onProgress: called with it each time that some of it has come.
const ask = (pool, name, onProgress = () => {}) => new Promise((end) => {
  const url = new URL(`http://server/${name}`);
  const exchange = new Exchange(headOf('GET', url, {}), false);
  Object.assign(exchange, {
    onLeft() {},
    onFirstByte() {},
    onHeader: (header) => exchange.framedBy(header),
    onProgress: () => onProgress(exchange, end),
    onDone: () => end(['done', exchange.received]),
    onBroken: () => end(['broken', exchange.received]),
  });
  pool.ask(exchange);
});

server.listen(0, '127.0.0.1', async () => {
  const pool = new Pool('127.0.0.1', server.address().port, native);
  for (const name of ['first', 'second'])
    found[name] = await ask(pool, 'whole', ({ received }) => {
      if (received === 1000000) goOn();
    });
  found.kept = found.connections;
  found.short = await ask(pool, 'short');
  await until(() => found.closed === 1);
  found.stuck = await ask(pool, 'stuck', (exchange, end) => {
    if (exchange.received < 100000) return;
    pool.abort(exchange);
    end(['taken back', exchange.received]);
  });
  await until(() => found.closed === 2);
  found.after = await ask(pool, 'short');
  server.close();
  console.log(JSON.stringify(found));
});
"""


def test_bodies_are_counted_as_they_come_and_may_end_early_or_be_taken_back() -> None:
    found: dict[str, Any] = json.loads(
        subprocess.run(
            ["node", "-e", ASK],
            cwd=BROWSER,
            env={**os.environ, "WEIR_NATIVE": str(root() / native())},
            capture_output=True, text=True, check=True, timeout=120,
        ).stdout
    )  # fmt: skip
    # The second part is sent when the first was counted, to the byte.
    assert found["first"] == found["second"] == ["done", 3_000_000]
    assert found["kept"] == 1
    assert found["short"] == found["after"] == ["broken", 100_000]
    assert found["stuck"] == ["taken back", 100_000]
    assert found["connections"] == 3
