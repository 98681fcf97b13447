import TestBrowser

/// What is wrong with a page for people who cannot see well, use no mouse, or have a small screen (WCAG 2.2
/// AA). Checked in the page itself, because it depends on styles and layout.
enum PageInspection {
    /// One sentence per mistake.
    static func mistakes(on page: Page) async throws -> [String] {
        try await page.evaluate(script).items.compactMap(\.text)
    }

    /// Words that are broken into three or more rows, so that no one can read them.
    static func brokenWords(on page: Page) async throws -> [String] {
        try await page.evaluate(brokenWordsScript).items.compactMap(\.text)
    }

    /// The lines of an element's text, as a person copies it.
    static func lines(of selector: String) -> String {
        "document.querySelector(\"\(selector)\").innerText.split(\"\\n\")"
    }

    /// The number of rows in which the text of an element is drawn.
    static func rows(of selector: String) -> String {
        """
        (() => {
          const range = document.createRange();
          range.selectNodeContents(document.querySelector("\(selector)"));
          return new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top))).size;
        })()
        """
    }

    private static let brokenWordsScript = #"""
        (() => {
          const broken = [];
          const range = document.createRange();
          const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode;
            if (node.parentElement.closest("svg, script, style, .plot")) continue;
            for (const word of node.textContent.matchAll(/[^\s\-–\/]+/g)) {
              range.setStart(node, word.index);
              range.setEnd(node, word.index + word[0].length);
              const rows = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
              if (rows.size > 2) broken.push(word[0]);
            }
          }
          return broken;
        })()
        """#

    private static let script = #"""
        (() => {
          const mistakes = [];
          const words = (element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}"> ` +
            (element.textContent || "").trim().slice(0, 40);
          const isShown = (element) => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
            && element.getBoundingClientRect().width > 1;

          // 1.4.3: text has a contrast of 4.5, large text of 3.
          const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
          const rgba = (color) => {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
          };
          const over = (top, below) => top.slice(0, 3).map((part, i) => part * top[3] + below[i] * (1 - top[3]));
          const background = (element) => {
            const layers = [];
            for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
            return layers.reverse().reduce((below, layer) => over(layer, below), [1, 1, 1]);
          };
          const luminance = (color) => {
            const [r, g, b] = color.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const checked = new Set();
          while (walker.nextNode()) {
            const element = walker.currentNode.parentElement;
            if (!walker.currentNode.textContent.trim() || checked.has(element) || !isShown(element)) continue;
            if (["SCRIPT", "STYLE", "TITLE", "DESC", "title", "desc", "OPTION"].includes(element.tagName)) continue;
            checked.add(element);
            const style = getComputedStyle(element);
            const below = background(element);
            const color = over(rgba(element.closest("svg") ? style.fill : style.color), below);
            const [light, dark] = [luminance(color), luminance(below)].sort((a, b) => b - a);
            const ratio = (light + 0.05) / (dark + 0.05);
            const size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || size >= 18.66 && parseInt(style.fontWeight) >= 700;
            if (ratio < (isLarge ? 3 : 4.5)) mistakes.push(`contrast ${ratio.toFixed(2)}: ${words(element)}`);
          }

          // 4.1.2 and 3.3.2: everything that can be used has a name.
          for (const element of document.querySelectorAll("a, button, input, select, textarea, summary")) {
            if (element.type === "hidden" || element.hidden) continue;
            const name = element.getAttribute("aria-label") || [...(element.labels || [])].map((l) => l.textContent).join("")
              || element.textContent;
            if (!name.trim()) mistakes.push(`no name: ${words(element)}`);
          }
          for (const svg of document.querySelectorAll("svg"))
            if (svg.getAttribute("aria-hidden") !== "true" && !svg.getAttribute("aria-labelledby") && !svg.getAttribute("aria-label"))
              mistakes.push(`picture without a name: ${words(svg.parentElement)}`);

          // 1.3.1: one title, and no level of headings left out.
          const levels = [...document.querySelectorAll("main h1, main h2, main h3, main h4")].map((h) => +h.tagName[1]);
          if (levels.filter((level) => level === 1).length !== 1) mistakes.push(`headings: ${levels}`);
          levels.reduce((before, level) => {
            if (level > before + 1) mistakes.push(`heading ${level} after ${before}`);
            return level;
          }, 0);

          // 2.4.3: the order of focus is the order of the page. 4.1.1: ids are unique.
          for (const element of document.querySelectorAll("[tabindex]"))
            if (element.tabIndex > 0) mistakes.push(`tabindex ${element.tabIndex}: ${words(element)}`);
          const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
          for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) mistakes.push(`id twice: ${id}`);

          // 1.4.10: no scrolling in two directions.
          const width = document.documentElement.scrollWidth;
          if (width > innerWidth + 1) {
            const wide = [...document.querySelectorAll("main *, header *, nav *")].filter((element) => {
              if (element.closest(".scroll, .side, pre")) return false;
              return isShown(element) && element.getBoundingClientRect().right > innerWidth + 1;
            });
            mistakes.push(`${width} px wide: ${wide.slice(0, 3).map(words).join(" | ")}`);
          }
          // 2.5.8: what can be clicked is 24 px high, or in a sentence.
          for (const element of document.querySelectorAll("button, select, input, .side a, .spans a, summary"))
            if (isShown(element) && element.getBoundingClientRect().height < 23.5 && element.type !== "hidden")
              mistakes.push(`${element.getBoundingClientRect().height} px high: ${words(element)}`);
          return mistakes;
        })()
        """#
}
