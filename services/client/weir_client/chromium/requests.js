// A row for each request of a segment, as docs/outside-players.md has them.
'use strict';
const requests = (() => {
  const SEGMENT = /\/dash\/(\d+)\/(\d+)\.m4s$/; // as weir_server.mpd names them
  const WHOLE = 206; // a segment that is a file of its own comes whole with 200
  const asked = [];
  let stalledS = 0;

  performance.setResourceTimingBufferSize(1 << 20);

  function ended(row, { status }) {
    const { segment_s: segmentS } = told.content;
    const stalled = media.stalledS();
    Object.assign(row, {
      endMs: performance.now(),
      status: status === 200 ? WHOLE : status,
      stall_s: stalled - stalledS,
      buffer_after_s:
        status === 200
          ? media.aheadWith(row.segment * segmentS, (row.segment + 1) * segmentS)
          : media.aheadS(),
    });
    stalledS = stalled;
  }

  const { open, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function opened(method, url, ...rest) {
    this.weirUrl = new URL(url, location).href;
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function sent(...body) {
    const found = SEGMENT.exec(this.weirUrl);
    if (found) {
      const row = {
        url: this.weirUrl,
        level: Number(found[1]),
        segment: Number(found[2]),
        buffer_before_s: media.aheadS(),
        estimate_bps: estimateBps(),
        atMs: performance.now(),
        bytes: 0,
      };
      asked.push(row);
      this.addEventListener('readystatechange', () => {
        if (this.readyState === XMLHttpRequest.HEADERS_RECEIVED) row.firstMs = performance.now();
      });
      this.addEventListener('progress', ({ loaded }) => {
        row.bytes = loaded;
      });
      this.addEventListener('loadend', () => ended(row, this));
    }
    return send.apply(this, body);
  };

  // The browser's own word on a request (Resource Timing), where it has one: a segment may be
  // asked for again.
  function timingOf({ url, atMs }) {
    const apart = ({ startTime }) => Math.abs(startTime - atMs);
    const all = performance.getEntriesByName(url, 'resource');
    return all.sort((one, other) => apart(one) - apart(other))[0];
  }

  // By the time of the requests; what is still open has broken off.
  function rows() {
    for (const row of asked) if (row.endMs === undefined) ended(row, { status: 0 });
    return asked
      .map((row) => {
        const { url, atMs, firstMs, endMs, bytes, ...told } = row;
        const timing = timingOf(row) ?? {};
        const first = timing.responseStart || firstMs;
        return {
          ...told,
          size_bytes: (row.status === WHOLE && timing.encodedBodySize) || bytes,
          request_s: since(timing.requestStart || atMs),
          first_byte_s: first ? since(first) : null,
          last_byte_s: since(timing.responseEnd || endMs),
        };
      })
      .sort((a, b) => a.request_s - b.request_s);
  }

  return { rows };
})();
