#!/usr/bin/env bash
# debian_package.sh BUILD FOLDER: makes the Debian package of the build in BUILD, alone in FOLDER.
# Exit code 77: this machine is not Debian.
set -euo pipefail
build=$1 folder=$2
for program in dpkg-deb dpkg-shlibdeps; do
  command -v "$program" >/dev/null || {
    echo "debian_package: skipped: $program is not installed (tools/setup --tests)"
    exit 77
  }
done
rm -rf "$folder"
mkdir -p "$folder"
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$folder"
rm -rf "$folder/_CPack_Packages"
