// One kept-alive HTTP/1.1 connection over plain TCP, with one request at a time. Of a body that is
// not text only the beginning is kept: the rest is counted, and dropped in the kernel.
'use strict';
const net = require('node:net');

const KEPT_BYTES = 1024; // more than the boxes before a segment's media data
const READ_BYTES = 65536;
const PROGRESS_MS = 50; // XMLHttpRequest's progress events come at most that often
const WAIT_FOR_BYTES = 1 << 20;
const buffer = Buffer.allocUnsafe(READ_BYTES);

// native: {lowat(fd, bytes), drop(fd, bytes) -> bytes}; see receive.c.
class Connection {
  constructor(pool, native) {
    this.pool = pool;
    this.native = native;
    this.exchange = null;
    this.socket = net.connect({
      host: pool.host,
      port: pool.port,
      noDelay: true,
      onread: { buffer, callback: (size) => this.receive(size) },
    });
    this.socket.on('connect', () => {
      this.port = this.socket.localPort;
    });
    this.socket.on('error', () => this.broken());
    this.socket.on('close', () => this.broken());
  }

  start(exchange) {
    this.exchange = exchange;
    exchange.connection = this;
    this.header = '';
    this.inBody = false;
    this.socket.write(exchange.head);
  }

  receive(size) {
    const exchange = this.exchange;
    if (!exchange) return true;
    let from = 0;
    if (!this.inBody) {
      if (this.header === '') exchange.onFirstByte();
      const before = this.header.length;
      this.header += buffer.latin1Slice(0, size);
      const end = this.header.indexOf('\r\n\r\n');
      if (end < 0) return true;
      this.inBody = true;
      from = end + 4 - before;
      exchange.onHeader(this.header.slice(0, end));
      if (this.exchange !== exchange) return true; // taken back by who was told
    }
    exchange.feed(buffer.subarray(from, size));
    if (exchange.droppable > 0) this.drop(exchange);
    this.goOn(exchange);
    return true;
  }

  // How many bytes it were.
  drop(exchange) {
    const got = this.native.drop(this.socket._handle.fd, exchange.droppable);
    exchange.dropped(got);
    return got;
  }

  // Be woken when much of what is missing is there, and look at the rest now and then.
  goOn(exchange) {
    if (exchange.done) return void this.finish();
    exchange.onProgress();
    if (this.exchange !== exchange) return;
    if (exchange.droppable <= 0) return void (this.timer && this.rest());
    this.native.lowat(this.socket._handle.fd, Math.min(exchange.droppable, WAIT_FOR_BYTES));
    this.timer ??= setInterval(() => this.look(), PROGRESS_MS);
  }

  look() {
    const exchange = this.exchange;
    if (this.drop(exchange) > 0) this.goOn(exchange);
  }

  finish() {
    const exchange = this.exchange;
    this.release();
    exchange.onDone();
    this.pool.free(this);
  }

  broken() {
    const exchange = this.exchange;
    this.release();
    this.pool.lost(this);
    if (exchange) exchange.onBroken();
  }

  // Have no exchange any longer.
  release() {
    this.exchange = null;
    this.rest();
  }

  // Be woken by the next byte.
  rest() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.socket._handle) this.native.lowat(this.socket._handle.fd, 1);
  }
}

module.exports = { Connection, KEPT_BYTES, PROGRESS_MS };
