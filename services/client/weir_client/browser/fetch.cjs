// fetch (fetch.spec.whatwg.org) over the page's pool, as far as players use it: of media segments,
// whose bodies are read while they come.
'use strict';
const { headOf } = require('./exchange.cjs');
const { Stream } = require('./stream.cjs');
const timing = require('./resource_timing.cjs');

class Headers extends Map {
  constructor(given = []) {
    super(Symbol.iterator in given ? given : Object.entries(given));
  }
  get(name) {
    return super.get(name.toLowerCase()) ?? null;
  }
  set(name, value) {
    return super.set(name.toLowerCase(), String(value));
  }
  append(name, value) {
    this.set(name, value);
  }
}

class Request {
  constructor(url, { method = 'GET', headers, signal = null } = {}) {
    Object.assign(this, { url: new URL(url, location.href).href, method, signal });
    this.headers = new Headers(headers);
  }
}

// A ReadableStream (streams.spec.whatwg.org) with one reader.
class Body {
  constructor(takeBack) {
    Object.assign(this, { takeBack, pieces: [], over: false, error: null, reading: null });
  }

  getReader() {
    return { read: () => this._read(), cancel: async () => this.takeBack() };
  }

  _read() {
    return new Promise((resolve, reject) => {
      this.reading = { resolve, reject };
      this._go();
    });
  }

  _go() {
    const { reading, pieces, error } = this;
    if (!reading || !(pieces.length || this.over)) return;
    this.reading = null;
    if (pieces.length) reading.resolve({ value: pieces.shift(), done: false });
    else if (error) reading.reject(error);
    else reading.resolve({ value: undefined, done: true });
  }

  add(piece) {
    this.pieces.push(piece);
    this._go();
  }

  end(error = null) {
    Object.assign(this, { over: true, error });
    this._go();
  }
}

// A request that goes on; watch.cjs and resource_timing.cjs read of it what they do of an XHR.
class Fetching {
  constructor(page, { url, method, headers, signal }) {
    Object.assign(this, { page, url: new URL(url), signal, status: 0 });
    this.body = new Body(() => this._takeBack());
    const stream = new Stream(headOf(method, this.url, Object.fromEntries(headers)));
    this.exchange = Object.assign(stream, {
      onLeft: () => (this.requestStart = performance.now()),
      onFirstByte: () => (this.firstByte = performance.now()),
      onHeader: (header) => this._onHeader(header),
      onProgress() {},
      onPiece: (piece) => this.body.add(piece),
      onDone: () => this._onDone(),
      onBroken: () => this._break(new TypeError('Failed to fetch')),
    });
  }

  start() {
    const { page, signal } = this;
    signal?.addEventListener('abort', () => this._takeBack());
    this.requestStart = performance.now();
    return new Promise((resolve, reject) => {
      Object.assign(this, { resolve, reject });
      page.watch.asked(this);
      page.pool.ask(this.exchange);
    });
  }

  _onHeader(text) {
    const [line, ...rest] = text.split('\r\n');
    const [, status, ...words] = line.split(' ');
    this.status = Number(status);
    this.exchange.framedBy(rest.join('\r\n'));
    this.resolve({
      ok: this.status >= 200 && this.status < 300,
      status: this.status,
      statusText: words.join(' '),
      url: this.url.href,
      headers: new Headers(rest.map((each) => /^(.*?): *(.*)$/.exec(each).slice(1))),
      body: this.body,
    });
  }

  _onDone() {
    this.lastByte = performance.now();
    timing.add(this, 'fetch');
    this._end();
  }

  _takeBack() {
    if (this.over) return;
    this.page.pool.abort(this.exchange);
    this._break(new DOMException('The user aborted a request.', 'AbortError'));
  }

  _break(error) {
    this.status = 0;
    this.lastByte = performance.now();
    this.reject(error); // nothing, once there was an answer
    this._end(error);
  }

  _end(error = null) {
    this.over = true;
    this.page.watch.ended(this);
    this.body.end(error);
  }
}

// What a page finds. page: {pool, watch}, as of xhr.cjs.
function globals(page) {
  const fetch = (asked, init) =>
    new Fetching(page, asked instanceof Request ? asked : new Request(asked, init)).start();
  return { fetch, Headers, Request };
}

module.exports = { globals };
