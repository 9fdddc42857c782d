// Starts `policy lsp` for the policies of a window, and `policy dap` to step through one; the rest is theirs.
const { DebugAdapterExecutable, debug, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

const words = (name) => workspace.getConfiguration("policy").get(name);

exports.activate = async (context) => {
  const adapter = () => {
    const [command, ...args] = words("debugger");
    return new DebugAdapterExecutable(command, args);
  };
  // without a launch.json: the test in which the cursor is
  const resolved = (_, wanted) =>
    wanted.type ? wanted : { type: "policy", request: "launch", name: "Step", program: "${file}", line: "${lineNumber}" };
  context.subscriptions.push(
    debug.registerDebugAdapterDescriptorFactory("policy", { createDebugAdapterDescriptor: adapter }),
    debug.registerDebugConfigurationProvider("policy", { resolveDebugConfiguration: resolved }),
  );
  const [command, ...args] = words("command");
  const documentSelector = [{ scheme: "file", language: "policy" }];
  client = new LanguageClient("policy", "Policy", { command, args }, { documentSelector });
  await client.start();
};

exports.deactivate = () => client?.stop();
