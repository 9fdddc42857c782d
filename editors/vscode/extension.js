// Starts `policy lsp` for the policies of a window; everything else is the server's.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const [command, ...args] = workspace.getConfiguration("policy").get("command");
  const documentSelector = [{ scheme: "file", language: "policy" }];
  client = new LanguageClient("policy", "Policy", { command, args }, { documentSelector });
  await client.start();
};

exports.deactivate = () => client?.stop();
