// What the scripts beside this one share: dash.js's sources out of its npm package, the films and
// links of the sessions, and the file that they write.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

export const SEGMENT_S = 2, BUFFER_S = 30, LATENCY_MS = 60;

// A link as [from ms, kbit/s]; the last rate stays.
export const LINKS = {
    falling: [[0, 6000], [40000, 2500], [80000, 900], [120000, 400], [150000, 3000]],
    sawtooth: Array.from({length: 30}, (_, k) => [k * 9000, [800, 3300, 1500, 5200, 600][k % 5]]),
    steady: [[0, 1700]],  // BOLA waits rather than fill the buffer with a low level
    outage: [[0, 3500], [50000, 60], [75000, 3500], [130000, 1300]],
};
export const LADDERS = {
    three: [1e6, 2e6, 4e6],
    eight: [350e3, 470e3, 630e3, 845e3, 1130e3, 1520e3, 2040e3, 2750e3],
};

function rateAt(link, ms) {
    return link.filter(([from]) => from <= ms).at(-1)[1];
}

export function downloaded(link, ms, bits) {
    // kbit/s is bit/ms; whole milliseconds, as dash.js's clock has.
    while (bits > 0) { bits -= rateAt(link, ms); ms += 1; }
    return ms;
}

// Lays the sources of node_modules/dashjs out of its source map, and returns what loads one of them.
export function sourcesOf(map) {
    const modules = path.join(process.cwd(), 'node_modules');
    const {sources, sourcesContent} = JSON.parse(fs.readFileSync(path.join(modules, 'dashjs', map)));
    const top = fs.mkdtempSync(path.join(os.tmpdir(), 'dashjs-'));
    process.on('exit', () => fs.rmSync(top, {recursive: true}));
    fs.writeFileSync(path.join(top, 'package.json'), '{"type": "module"}');
    fs.symlinkSync(modules, path.join(top, 'node_modules'));
    sources.forEach((source, i) => {
        const name = source.split('/./src/')[1];
        if (!name || !sourcesContent[i]) { return; }
        const file = path.join(top, 'src', name);
        fs.mkdirSync(path.dirname(file), {recursive: true});
        // Node wants the ending, which 4.0 leaves out here and there.
        fs.writeFileSync(file, sourcesContent[i].replace(/( from '\.[^']*?)(\.js)?';/g, "$1.js';"));
    });
    return async (name) => (await import(pathToFileURL(path.join(top, 'src', name)))).default;
}

// Every rule on every ladder and link; session: steps of one.
export function write(version, rules, links, session) {
    const sessions = [];
    for (const rule of rules) {
        for (const [ladder, rates] of Object.entries(LADDERS)) {
            for (const [link, steps] of Object.entries(links)) {
                sessions.push({rule, ladder, link, rates, steps: session(rule, rates, steps, 90)});
            }
        }
    }
    const columns = Object.keys(sessions[0].steps[0]);
    const lines = sessions.map((s) => JSON.stringify(
        {...s, steps: s.steps.map((step) => columns.map((c) => step[c]))}));
    const here = path.dirname(fileURLToPath(import.meta.url));
    fs.writeFileSync(path.join(here, `dashjs-${version}.json`),
        `{"segment_s": ${SEGMENT_S}, "buffer_s": ${BUFFER_S}, "columns": ${JSON.stringify(columns)},\n` +
        `"sessions": [\n${lines.join(',\n')}\n]}\n`);
}
