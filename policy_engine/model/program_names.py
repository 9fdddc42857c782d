"""Other names of a program that the model of one program covers; data only. Imported by the hook path."""

from __future__ import annotations

_NAMES = {
    "ansible": "ansible-playbook ansible-console ansible-pull",
    "apt": "apt-get aptitude dnf yum zypper pacman apk brew port snap flatpak dpkg rpm winget scoop",
    "split": "csplit",
    "alias": "unalias hash enable",
    "awk": "gawk mawk nawk",
    "base64": "base32 basenc gbase64",
    "bat": "batcat",
    "cat": (
        "tac nl fold fmt pr expand unexpand paste column comm join cut get-content gc type-content look tsort numfmt "
        "size"
    ),
    "cc": "gcc clang g++ c++ rustc",
    "cd": "chdir",
    "certutil": "bitsadmin",
    "chown": "chgrp",
    "setfacl": "chattr xattr",
    "mkfifo": "mknod fallocate",
    "black": "isort yapf autopep8 rustfmt gofmt goimports prettier eslint clang-format shfmt stylua biome ruff",
    "rclone": "gsutil s3cmd azcopy mc b2",
    "defaults": (
        "gsettings dconf launchctl service plutil useradd usermod userdel groupadd update-alternatives chsh chfn"
    ),
    "iconv": "pandoc uuencode uudecode shuf ag ack lz4 lz4cat recode",
    "sevenzip": "7z 7za 7zr 7zz",
    "at": "batch",
    "fish": "csh tcsh elvish nu xonsh",
    "uname": (
        "whoami nproc arch uptime free groups tty locale getconf expr factor cal logname who pgrep pidof lsof tput"
    ),
    "claude": "codex gemini opencode copilot cursor-agent qwen amp goose aider kimi pi droid auggie",
    "code": "subl atom idea zed gedit kate open xdg-open cursor",
    "cp": "gcp",
    "curl": "curlie",
    "http": "https xh httpie",
    "lynx": "w3m links elinks lwp-request lwp-download GET POST ftp lftp telnet dig nslookup host whois finger",
    "declare": "typeset readonly local",
    "diff": "sdiff diff3 cmp colordiff",
    "docker": "podman nerdctl docker-compose podman-compose buildah finch",
    "fd": "fdfind",
    "blkdiscard": (
        "swapon growpart sg_format diskpart format format-volume clear-disk initialize-disk remove-partition "
        "set-partition"
    ),
    "dd": "gdd dcfldd dc3dd",
    "diskutil": "asr",
    "fdisk": "sgdisk gdisk cfdisk cgdisk sfdisk",
    "fsck": "e2fsck tune2fs resize2fs debugfs xfs_repair ntfsfix ntfsresize dosfsck reiserfsck fsck_hfs",
    "gh": "glab",
    "git": "hub",
    "git-add": "git-stage",
    "git-apply": "git-am",
    "git-bisect": "git-hook git-difftool git-mergetool git-instaweb",
    "git-checkout": "git-switch git-restore",
    "git-clone": "git-init",
    "git-filter-branch": "git-filter-repo",
    "git-log": "git-show git-diff git-fast-export git-blame git-annotate git-grep git-cat-file",
    "git-prune": "git-gc git-reflog",
    "git-send-pack": "git-http-push",
    "git-update-ref": "git-replace git-symbolic-ref",
    "grep": "egrep fgrep rgrep ggrep zgrep",
    "gzip": "zcat gunzip bzip2 bunzip2 bzcat xz unxz xzcat zstd zstdcat unzstd",
    "gradle": "gradlew gradlew.bat",
    "kill": "pkill killall skill",
    "less": "more most",
    "ls": "dir vdir exa eza",
    "ln": "link",
    "lua": "luajit",
    "make": (
        "gmake just task rake mage ninja poe invoke inv nox tox doit bazel bazelisk gulp grunt earthly dagger moon nps"
    ),
    "mvn": "mvnw mvnd",
    "lvm": (
        "lvremove lvcreate lvreduce lvresize lvconvert vgremove vgcreate vgreduce vgsplit vgmerge pvremove pvcreate "
        "pvresize"
    ),
    "man": "info whatis apropos tldr cheat pydoc",
    "mkfs": (
        "mkswap mke2fs mkdosfs mkntfs mkexfatfs mkreiserfs mkudffs mkf2fs newfs newfs_apfs newfs_hfs newfs_msdos "
        "newfs_exfat newfs_udf"
    ),
    "mv": "gmv",
    "newgrp": "sg",
    "nsenter": "chroot",
    "nc": "ncat netcat socat",
    "node": "nodejs",
    "npm": "pnpm yarn bun cnpm",
    "npx": "bunx pnpx",
    "od": "hexdump hd strings",
    "perl": "perl5",
    "pip": "pip3 pipx",
    "powershell": "pwsh",
    "pre-commit": "lefthook husky overcommit prek",
    "publisher": (
        "hatch pdm poetry flit rye maturin gem nuget dotnet vsce ovsx mix goreleaser lerna changeset changesets helm "
        "rush nx turbo jsr pod swift conan opam cabal stack luarocks choco crane regctl oras dart flutter wasm-pack "
        "lein anaconda rattler-build eas apm snapcraft tea release-please auto rebar3 elm fastlane web-ext "
        "copr ko vagrant packer melos jf jfrog cr shipjs chrome-webstore-upload semantic-release np release-it dput "
        "ghr python-semantic-release"
    ),
    "python": "pypy ipython",
    "rimraf": "trash trash-put trash-cli del-cli srm wipe del erase rd ri remove-item gio rm-rf safe-rm deltree",
    "rm": "rm.exe grm",
    "rscript": "Rscript R julia",
    "ruby": "jruby",
    "scp": "sftp",
    "secrets": (
        "security pass op vault aws gcloud az doctl heroku bw lpass secret-tool keyring chamber sops ansible-vault "
        "doppler fly flyctl vercel netlify railway terraform tofu"
    ),
    "sed": "gsed",
    "set": "unset shopt",
    "start-process": "saps",
    "sh": "bash dash zsh ksh ash rbash mksh zsh5",
    "shutdown": "reboot halt poweroff init telinit",
    "sha256sum": "md5sum sha1sum sha512sum sha224sum b2sum cksum shasum sum",
    "source": ".",
    "su": "runuser",
    "sudo": (
        "doas pkexec gosu su-exec visudo sudoedit runas please run0 dzdo pfexec ksu calife machinectl sudo-rs gsudo "
        "super sux kdesu gksu gksudo beesu sudoedit-rs"
    ),
    "tar": "gtar bsdtar",
    "tee": "sponge",
    "test": "[",
    "true": ": false",
    "type": "compgen help",
    "usermod": "adduser useradd gpasswd groupmod addgroup groupadd dseditgroup",
    "vim": "vimdiff vi nvim view ex nano emacs ed",
    "wget": "aria2c",
    "which": "whereis",
    "zpool": "zfs",
}

MODEL_OF = {other: model for model, others in _NAMES.items() for other in others.split()}
"""Name → the member of `programs/` that models it."""
