"""Holds every #include of the product, and what each folder's CMake library links, against docs/architecture.md."""

import pathlib
import re
import sys

# Folder → folders that it may include, beside itself. What is not here may include nothing of ours.
ALLOWED = {
    "common/base": [],
    "common/model": ["common/base"],
    "common/files": ["common/base"],
    "common/yaml": ["common/base"],
    "common/tls": ["common/base", "common/files"],
    "common/wire": ["common/base", "common/model"],
    "agent/properties": ["common/base", "common/model", "common/files"],
    "agent/service": ["common/base", "common/model"],
    "agent/worker": ["common/base", "common/model"],
    "agent/operations": ["common/base", "common/model", "common/files", "agent/properties"],
    "agent/host": ["common/base", "common/model", "common/files", "agent/properties", "agent/service", "agent/worker",
                   "agent/operations"],
    "agent/config": ["common/base", "common/files", "common/tls", "common/yaml", "agent/service", "agent/worker"],
    "agent/rpc": ["common/base", "common/model", "common/tls", "common/wire", "agent/operations", "agent/host",
                  "agent/worker"],
    "controller/kafka": ["common/base"],
    "controller/fleet": ["common/base", "common/model", "common/yaml", "controller/kafka"],
    "controller/rpc": ["common/base", "common/model", "common/wire", "common/tls", "controller/fleet"],
    "controller/rollout": ["common/base", "common/model", "controller/fleet"],
    "controller/proof": ["common/base", "common/model", "controller/fleet", "controller/kafka"],
    "controller/report": ["common/base", "common/model", "controller/fleet", "controller/rollout", "controller/proof"],
    "controller/cli": ["common/base", "common/model", "controller/fleet", "controller/kafka", "controller/rpc",
                       "controller/rollout", "controller/proof", "controller/report"],
}
# Third-party headers → where they may be included.
THIRD_PARTY = {
    r"<librdkafka/": ["controller/kafka/"],
    r"<curl/": ["agent/worker/http.cc"],
    r"<systemd/sd-bus": ["agent/service/systemd_manager.cc"],
    r"<systemd/sd-journal": ["agent/worker/log_journal.cc"],
    r"<systemd/sd-daemon": ["agent/main.cc"],
    r"<(grpc|grpcpp)/": ["common/wire/", "agent/rpc/", "controller/rpc/"],
    r"<google/protobuf/": ["common/wire/", "controller/rpc/"],
    r"\"eos/agent/v1/": ["common/wire/", "agent/rpc/", "controller/rpc/"],
    r"<openssl/": ["common/tls/", "common/files/sha256.cc"],
    r"<CLI/": ["controller/cli/options.cc", "agent/main.cc"],
    r"<yaml-cpp/": ["common/yaml/"],
}
FORBIDDEN_CALLS = re.compile(r"(?<![\w.>:])(system|popen|fork|vfork|execl|execv|execvp)\s*\(")
MAX_LINES = 500


def folder_of(path):
    return "/".join(path.split("/")[:2])


def main(root):
    problems = []
    files = [p for top in ("common", "agent", "controller") for p in sorted((root / top).rglob("*")) if
             p.suffix in (".cc", ".h")]
    for path in files:
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        if len(lines) > MAX_LINES:
            problems.append(f"{name}: {len(lines)} lines; split it, {MAX_LINES} is the most")
        top_level = name.count("/") == 1  # a program's main.cc composes everything of its own side
        folder = folder_of(name)
        allowed = set(ALLOWED.get(folder, [])) | {folder}
        for number, line in enumerate(lines, 1):
            where = f"{name}:{number}"
            include = re.match(r'#include "((common|agent|controller)/[^"]+)"', line)
            if include:
                target = folder_of(include.group(1))
                side = name.split("/")[0]
                fine = target.split("/")[0] in (side, "common") if top_level else target in allowed
                if not fine:
                    problems.append(f"{where}: {folder} may not include {target}")
            if line.startswith("#include"):
                for pattern, places in THIRD_PARTY.items():
                    if re.search(pattern, line) and not any(name.startswith(place) for place in places):
                        problems.append(f"{where}: {line} belongs into {' or '.join(places)} only")
            code = line.split("//")[0]
            if FORBIDDEN_CALLS.search(code):
                problems.append(f"{where}: no shell and no fork; posix_spawn (agent/service/run_command)")
    for cmake in sorted(root.glob("*/*/CMakeLists.txt")):
        folder = cmake.parent.relative_to(root).as_posix()
        if folder in ALLOWED:
            libraries = re.findall(r"^eos_library\((\w+)", cmake.read_text(), re.M)
            if len(libraries) != 1:
                problems.append(f"{folder}/CMakeLists.txt: one library a folder, here are {len(libraries)}")
    for folder in ALLOWED:
        if not (root / folder / "CMakeLists.txt").exists():
            problems.append(f"{folder}: is in the rules, and has no library")
    print("\n".join(problems) if problems else f"{len(files)} files keep the rules")
    return 1 if problems or len(files) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
