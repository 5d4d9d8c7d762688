//! Makes sure that there is a page to put into the program.

use std::{fs, path::Path};

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Boardwright</title>
<h1>The page is not built</h1>
<p>This program was built without its page. In the folder <code>web</code> run
<code>npm ci</code> and <code>npm run build</code>, then build the program again.</p>
<p>The interface under <code>/api</code> works.</p>
</html>
"#;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/app/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let page = dist.join("index.html");
    if !page.exists() {
        fs::create_dir_all(&dist).expect("the folder for the page can be made");
        fs::write(page, PAGE).expect("the page that says what is missing can be written");
    }
}
