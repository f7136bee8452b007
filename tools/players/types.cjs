// Types of settings that have no default to go by, from the player's own TypeScript declarations.
'use strict';
const path = require('node:path');
const ts = require('../../web/node_modules/typescript');

const DECLARED = {
  dashjs: ['index.d.ts', 'MediaPlayerSettingClass'],
  hlsjs: ['dist/hls.d.ts', 'HlsConfig'],
  shaka: ['dist/shaka-player.compiled.d.ts', 'shaka.extern.PlayerConfiguration'],
};

// JSON's types of all values that a setting may have; of a function's none.
function namesOf(checker, type) {
  const { flags } = type;
  if (type.isUnion()) return [...new Set(type.types.flatMap((each) => namesOf(checker, each)))];
  if (flags & ts.TypeFlags.Undefined) return []; // left out
  if (flags & ts.TypeFlags.Null) return ['null'];
  if (flags & ts.TypeFlags.BooleanLike) return ['boolean'];
  if (flags & ts.TypeFlags.NumberLike) return ['number'];
  if (flags & ts.TypeFlags.StringLike) return ['string'];
  if (checker.isArrayLikeType(type)) return ['array'];
  return isCode(type) ? [] : ['object'];
}

function isCode(type) {
  return type.getCallSignatures().length + type.getConstructSignatures().length > 0;
}

// The type that is declared by that name, wherever it stands.
function declared(checker, node, name) {
  const isType =
    ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node);
  if (isType && node.name) {
    const full = checker.getFullyQualifiedName(checker.getSymbolAtLocation(node.name));
    if (full === name || full.endsWith(`".${name}`)) return checker.getTypeAtLocation(node.name);
  }
  return ts.forEachChild(node, (child) => declared(checker, child, name));
}

// {dotted path: names} of the settings whose default is null, and of what may stand in them.
// folder: of the npm package.
function typesOf(player, folder, settings) {
  const [file, name] = DECLARED[player];
  const declarations = path.join(folder, file);
  const program = ts.createProgram([declarations], { strict: true, types: [], skipLibCheck: true });
  const checker = program.getTypeChecker();
  const found = {};

  function below(type, at, defaults) {
    const plain = checker.getNonNullableType(type);
    for (const property of plain.getProperties()) {
      const here = [...at, property.name];
      const own = checker.getTypeOfSymbol(property);
      const value = defaults?.[property.name];
      if (defaults && !(property.name in defaults)) continue; // there is no such setting
      if (isTree(value)) below(own, here, value);
      else if (!defaults || value === null) {
        const names = namesOf(checker, own).sort();
        found[here.join('.')] = names;
        if (names.includes('object')) below(own, here, null);
      }
    }
  }

  below(declared(checker, program.getSourceFile(declarations), name), [], settings);
  return found;
}

function isTree(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

module.exports = { typesOf };
