// XMLHttpRequest (xhr.spec.whatwg.org) over the page's pool, as far as players use it.
'use strict';
const { PROGRESS_MS } = require('./connection.cjs');
const { Exchange, headOf, valueOf } = require('./exchange.cjs');
const timing = require('./resource_timing.cjs');

// page: {pool, watch}; watch.asked(request) and watch.ended(request) are told of each.
function xmlHttpRequest(page) {
  return class XMLHttpRequest extends EventTarget {
    constructor() {
      super();
      this.readyState = 0;
      this.status = 0;
      this.statusText = '';
      this.response = null;
      this.responseType = '';
      this.responseURL = '';
      this.timeout = 0;
      this.upload = new EventTarget();
      this.asked = {};
      this.header = '';
    }

    open(method, url) {
      this.method = method;
      this.url = new URL(url, location.href);
      this._becomes(1);
    }

    _becomes(readyState) {
      this.readyState = readyState;
      const event = new Event('readystatechange');
      this.onreadystatechange?.(event);
      this.dispatchEvent(event);
    }

    setRequestHeader(name, value) {
      this.asked[name] = value;
    }

    getAllResponseHeaders() {
      return this.header;
    }

    getResponseHeader(name) {
      return valueOf(this.header, name);
    }

    send() {
      const head = headOf(this.method, this.url, this.asked);
      const exchange = new Exchange(head, this.responseType !== 'arraybuffer');
      this.exchange = Object.assign(exchange, {
        onLeft: () => (this.requestStart = performance.now()),
        onFirstByte: () => (this.firstByte = performance.now()),
        onHeader: (header) => this._onHeader(header),
        onProgress: () => this._onProgress(),
        onDone: () => this._onDone(),
        onBroken: () => this._end('error'),
      });
      this.requestStart = performance.now();
      this.progressed = -Infinity;
      if (this.timeout) this.timer = setTimeout(() => this._takeBack('timeout'), this.timeout);
      page.watch.asked(this);
      page.pool.ask(exchange);
    }

    abort() {
      if (this.readyState !== 4 && this.exchange) this._takeBack('abort');
    }

    _takeBack(event) {
      page.pool.abort(this.exchange);
      this._end(event);
    }

    _onHeader(text) {
      const [line, ...rest] = text.split('\r\n');
      const [, status, ...words] = line.split(' ');
      this.status = Number(status);
      this.statusText = words.join(' ');
      this.header = rest.join('\r\n') + '\r\n';
      this.exchange.framedBy(this.header);
      this.responseURL = this.url.href;
      this._becomes(2);
      this._becomes(3);
    }

    _onProgress() {
      const at = performance.now();
      if (at - this.progressed < PROGRESS_MS - 1) return;
      this.progressed = at;
      this._tell('progress');
    }

    _onDone() {
      this.lastByte = performance.now();
      const { keepsAll, text, bytes } = this.exchange;
      this.response = keepsAll ? text : bytes;
      if (keepsAll) this.responseText = text;
      timing.add(this);
      this._end('load', this.status);
    }

    _end(event, status = 0) {
      clearTimeout(this.timer);
      this.status = status;
      this.lastByte ??= performance.now();
      page.watch.ended(this);
      if (event === 'load') this._tell('progress');
      this._becomes(4);
      this._tell(event);
      this._tell('loadend');
    }

    _tell(type) {
      const { received, length } = this.exchange;
      const told = { lengthComputable: true, loaded: received, total: length };
      const event = Object.assign(new Event(type), told);
      this['on' + type]?.(event);
      this.dispatchEvent(event);
    }
  };
}

module.exports = { xmlHttpRequest };
