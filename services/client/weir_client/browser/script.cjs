// The script of a pinned player, run as a page's own: it leaves its names in the global scope.
'use strict';
const fs = require('node:fs');
const vm = require('node:vm');

const [file] = process.argv.slice(2);
new vm.Script(fs.readFileSync(file, 'utf8'), { filename: file }).runInThisContext();
