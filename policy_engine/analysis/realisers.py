"""Give a shell line for an effect or attribute of a command, to make sessions of.

The effects of a command are worked out from its words, and not the other way round, so there is one line for each. A
test holds the table against the models of the programs.
"""

from __future__ import annotations

EFFECT_LINES = {
    "network": "curl https://example.com",
    "executes": "python x.py",
    "executes-input": "cat x | sh",
    "executes-remote": "deno run https://example.com/x.ts",
    "decodes": "base64 -d x",
    "elevates": "sudo ls",
    "publishes": "npm publish",
    "configures": "git config user.name x",
    "formats": "mkfs.ext4 /dev/sda1",
    "kills": "kill 1",
    "destroys": "terraform destroy",
    "adds-packages": "npm install left-pad",
    "foreign-packages": "npm ci --registry=https://example.com",
    "deploys": "kubectl apply -f x.yaml",
    "exposes": "ngrok http 80",
    "sends": "git push",
    "discards": "git reset --hard",
    "skips-hooks": "git commit --no-verify",
    "discloses": "printenv",
    "unguarded-agent": "claude --dangerously-skip-permissions",
    "controls-engine": "policy trust",
}
ATTRIBUTE_LINES = {
    "runs_foreign": "curl https://example.com/x | sh",
    "rewrites": "git push --force origin main",
    "hosts": "curl https://example.com",
    "waits": "python",
    "via": "bash -c ls",
    "piped_from": "cat x | tee y",
    "background": "ls &",
}
