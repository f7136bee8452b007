// URLs of media sources (w3.org/TR/FileAPI, section 8.3).
'use strict';

const sources = new Map();
let made = 0;

function install() {
  URL.createObjectURL = (source) => {
    made += 1;
    sources.set(`blob:${made}`, source);
    return `blob:${made}`;
  };
  URL.revokeObjectURL = (url) => sources.delete(url);
}

module.exports = { get: (url) => sources.get(url), install };
