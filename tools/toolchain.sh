# Sourced by ./run and ./test in the root of the project.
#
# rustup knows toolchains by name: where the same version is installed as "stable", it would
# download it a second time, or fail without a network. This uses the installed one.
if [ -z "${RUSTUP_TOOLCHAIN:-}" ] && command -v rustup >/dev/null 2>&1; then
  wanted=$(sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml)
  installed=$(RUSTUP_AUTO_INSTALL=0 rustup toolchain list | sed 's/ .*//')
  if ! grep -q "^$wanted-" <<<"$installed"; then
    for name in $installed; do
      if rustup run "$name" rustc --version 2>/dev/null | grep -qF "rustc $wanted "; then
        export RUSTUP_TOOLCHAIN=$name
        break
      fi
    done
  fi
fi
