//! A small client for the Chrome DevTools Protocol, by which tests look at pages in a real browser (chromium, headless).
//! It talks through two named pipes, so that no port is opened.

use crate::command::run;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tandem_plugin_api::kit::testing::skip;

/// Far above the time of any action here, even on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: File,
    from: Receiver<Value>,
    session: String,
    next: u64,
    /// The page's events meanwhile, without answers: requests, dialogs, exceptions.
    pub events: VecDeque<Value>,
    _profile: tempfile::TempDir,
}

/// Starts a browser; `None`, with a message, where there is no chromium.
pub fn start() -> Option<Browser> {
    if !Command::new("chromium")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
    {
        skip("chromium is not installed (Debian: apt install chromium)");
        return None;
    }
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no folder for the browser: {error}"));
    let [to, from] = ["to", "from"].map(|name| folder.path().join(name));
    assert!(run(Command::new("mkfifo").args([&to, &from])).status.success(), "mkfifo does not work");
    let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", &profile];
    let child = Command::new("sh")
        .args(["-c", "exec chromium --remote-debugging-pipe \"$@\" 3<\"$TO\" 4>\"$FROM\"", "sh"])
        .args(flags)
        .env("TO", &to)
        .env("FROM", &from)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("chromium cannot be started: {error}"));
    // In the order in which the shell opens them: each waits for the other side.
    let to = OpenOptions::new().write(true).open(&to).unwrap_or_else(|error| panic!("{error}"));
    let from = File::open(&from).unwrap_or_else(|error| panic!("{error}"));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(from).split(0).map_while(Result::ok) {
            if serde_json::from_slice(&message).map(|message| sender.send(message).is_err()).unwrap_or(true) {
                return;
            }
        }
    });
    let (session, events) = (String::new(), VecDeque::new());
    let mut browser = Browser { child, to, from: receiver, session, next: 0, events, _profile: folder };
    let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
    let attached = browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
    browser.session = attached["sessionId"].as_str().unwrap_or_default().to_string();
    for domain in ["Page.enable", "Runtime.enable", "Network.enable", "Log.enable"] {
        browser.call(domain, json!({}));
    }
    Some(browser)
}

impl Browser {
    /// Calls a method of the protocol and waits for its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap_or_else(|error| panic!("the browser does not listen: {error}"));
        loop {
            let answer = self.receive(method);
            if answer["id"] == self.next {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push_back(answer);
        }
    }

    fn receive(&self, what: &str) -> Value {
        self.from.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("no answer from the browser to {what}: {error}"))
    }

    /// Opens a file in a window of this width.
    pub fn open(&mut self, file: &Path, width: u32, dark: bool) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", features);
        self.events.clear();
        let address = format!("file://{}", encoded(&file.display().to_string()));
        let answer = self.call("Page.navigate", json!({ "url": address }));
        assert!(answer.get("errorText").is_none(), "{address}: {answer}");
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.receive("a page");
            self.events.push_back(event);
        }
    }

    /// The value of an expression in the page; a promise is waited for.
    pub fn eval(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub fn text(&mut self, expression: &str) -> String {
        self.eval(expression).as_str().unwrap_or_default().to_string()
    }

    /// Presses a key such as `Tab` or `ArrowLeft`.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = if key.len() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// A picture of what is to be seen, as PNG.
    pub fn screenshot(&mut self, file: &Path) -> usize {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = from_base64(answer["data"].as_str().unwrap_or_default());
        std::fs::write(file, &bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        bytes.len()
    }

    /// Events that the page must not cause: requests other than for itself, dialogs, exceptions.
    pub fn offences(&self) -> Vec<String> {
        let offence = |event: &Value| match event["method"].as_str()? {
            "Network.requestWillBeSent" => {
                let address = event["params"]["request"]["url"].as_str()?;
                let is_own = event["params"]["type"] == "Document" && address.starts_with("file:");
                (!is_own).then(|| format!("request of {address}"))
            }
            "Page.javascriptDialogOpening" | "Runtime.exceptionThrown" => Some(event.to_string()),
            "Log.entryAdded" if event["params"]["entry"]["level"] == "error" => Some(event.to_string()),
            _ => None,
        };
        self.events.iter().filter_map(offence).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        for _ in 0..100 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A path for an address.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |byte: u8| DIGITS.iter().position(|known| *known == byte);
    let (mut bytes, mut word, mut bits) = (Vec::new(), 0usize, 0);
    for value in text.bytes().filter_map(digit) {
        word = (word << 6 | value) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    bytes
}
