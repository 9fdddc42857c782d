// Tokenizes files as VS Code does: node textmate.cjs GRAMMAR FILE… prints {FILE: [[line, start, end, scopes], …]}.
const fs = require("node:fs");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const [grammarFile, ...files] = process.argv.slice(2);
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;

async function main() {
  await oniguruma.loadWASM(wasm);
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const loadGrammar = async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile);
  const grammar = await new textmate.Registry({ onigLib, loadGrammar }).loadGrammar("source.policy");
  const found = {};
  for (const file of files) {
    let state = textmate.INITIAL;
    found[file] = fs.readFileSync(file, "utf8").split("\n").flatMap((line, at) => {
      const done = grammar.tokenizeLine(line, state);
      state = done.ruleStack;
      return done.tokens.map((one) => [at, one.startIndex, one.endIndex, one.scopes]);
    });
  }
  process.stdout.write(JSON.stringify(found));
}
main();
