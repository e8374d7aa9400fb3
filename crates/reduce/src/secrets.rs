//! The user's files that hold secrets: no check and no tool in a sandbox may read them, and no program includes them.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The ones in the user's home folder.
const IN_HOME: &str = "\
    .aws .azure .composer/auth.json .docker/config.json .gem/credentials .git-credentials .gnupg \
    .gradle/gradle.properties .kube .local/share/keyrings .m2/settings.xml .m2/settings-security.xml .my.cnf \
    .mylogin.cnf .netrc .npmrc .password-store .pgpass .pypirc .ssh .terraform.d/credentials.tfrc.json .terraformrc \
    .vault-token .yarnrc.yml";

/// The ones in the folder of settings, `~/.config` or `$XDG_CONFIG_HOME`.
const IN_SETTINGS: &str = "\
    composer/auth.json containers/auth.json doctl gcloud gh git/credentials glab-cli hub op rclone sops";

/// Variables that name such files.
const NAMED_BY: &str = "\
    AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE GOOGLE_APPLICATION_CREDENTIALS KUBECONFIG NETRC \
    NPM_CONFIG_USERCONFIG PGPASSFILE REGISTRY_AUTH_FILE";

/// Variables that name a folder, each with the place of such a file in it.
const BELOW: &str = "AZURE_CONFIG_DIR/msal_token_cache.json CLOUDSDK_CONFIG/credentials.db DOCKER_CONFIG/config.json \
    GH_CONFIG_DIR/hosts.yml GNUPGHOME/private-keys-v1.d";

/// Files and folders with secrets, existing or not.
pub fn paths() -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let named = |name: &str| std::env::var_os(name).filter(|given| !given.is_empty());
    let given = |name: &str, usual: &str| named(name).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(usual)));
    let join = |folder: Option<PathBuf>, names: &str| -> Vec<PathBuf> {
        folder.iter().flat_map(|folder| names.split(' ').map(|name| folder.join(name))).collect()
    };
    let files = NAMED_BY.split(' ').filter_map(named);
    let files = files.flat_map(|files| std::env::split_paths(&files).collect::<Vec<_>>());
    let below = BELOW.split(' ').filter_map(|below| below.split_once('/'));
    let below = below.filter_map(|(name, file)| Some(Path::new(&named(name)?).join(file)));
    [
        join(given("CARGO_HOME", ".cargo"), "credentials credentials.toml"),
        join(given("XDG_CONFIG_HOME", ".config"), IN_SETTINGS),
        join(home.as_ref().map(|home| home.join(".config")), IN_SETTINGS),
        join(home.clone(), IN_HOME),
        files.filter(|path| path.is_file()).chain(below).filter(|path| path.is_absolute()).collect(),
    ]
    .concat()
}

/// Whether what is at `path`, behind all links, is one of these files or in one of these folders.
pub(crate) fn is_secret(path: &Path) -> bool {
    static SECRETS: LazyLock<Vec<PathBuf>> =
        LazyLock::new(|| paths().iter().filter_map(|secret| secret.canonicalize().ok()).collect());
    path.canonicalize().is_ok_and(|path| SECRETS.iter().any(|secret| path.starts_with(secret)))
}
