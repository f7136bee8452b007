// Resource Timing (w3.org/TR/resource-timing): what performance tells of requests that were answered.
'use strict';

const HEADER_BYTES = 300; // section 4.5.1: transferSize counts so much for headers
const entries = [];

function add(request, initiatorType = 'xmlhttprequest') {
  const bytes = request.exchange.received;
  entries.push({
    name: request.url.href,
    entryType: 'resource',
    initiatorType,
    startTime: request.requestStart,
    requestStart: request.requestStart,
    responseStart: request.firstByte,
    responseEnd: request.lastByte,
    duration: request.lastByte - request.requestStart,
    nextHopProtocol: 'http/1.1',
    responseStatus: request.status,
    transferSize: bytes + HEADER_BYTES,
    encodedBodySize: bytes,
    decodedBodySize: bytes,
  });
}

function install() {
  performance.getEntriesByType = (type) => (type === 'resource' ? [...entries] : []);
  performance.getEntriesByName = (name) => entries.filter((entry) => entry.name === name);
  performance.clearResourceTimings = () => {
    entries.length = 0;
  };
}

module.exports = { add, install };
