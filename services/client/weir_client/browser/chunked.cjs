// A body in chunks (RFC 9112, section 7.1), without what frames them.
'use strict';

class Chunked {
  constructor() {
    this.left = 0; // of the chunk that is being read
    this.line = '';
    this.last = false; // its line was read
    this.ended = false;
  }

  // Tells `take` the data in these bytes.
  feed(bytes, take) {
    for (let at = 0; at < bytes.length; ) {
      if (this.left > 0) {
        const data = bytes.subarray(at, at + this.left);
        this.left -= data.length;
        at += data.length;
        take(data);
      } else {
        const end = bytes.indexOf(10, at);
        this.line += bytes.latin1Slice(at, end < 0 ? bytes.length : end);
        if (end < 0) return;
        at = end + 1;
        this._read(this.line.trim());
        this.line = '';
      }
    }
  }

  // A line: a size, or the empty one after each chunk.
  _read(line) {
    if (line === '') this.ended = this.last;
    else {
      this.left = parseInt(line, 16);
      this.last = this.left === 0;
    }
  }
}

module.exports = { Chunked };
