import ChildPrograms
import Foundation
import Reports
import TestBrowser
import Testing

@testable import Rendering

/// The pages in a browser. They have no script; the page around them measures.
@Suite("Pages in a browser") struct BrowserTests {
    private struct Measured: Decodable {
        let page: String
        let width: Int
        let scrollWidth: Int
        /// Descriptions of elements that extend beyond the page or their chart.
        let outside: [String]
        /// Words of a chart that overlap.
        let touching: [String]
        let pictures: Int
        let shapes: Int
        /// The number of charts without height or width.
        let flat: Int
    }

    @Test(
        "every page has its charts, and no element overflows the page or overlaps another, from 380 to 1,400 pixels",
        .timeLimit(.minutes(40)))
    func fits() throws {
        let folder = try ThrowawayFolder.create(for: "pages")
        defer { try? folder.remove() }
        let pages = try PageTests.pages()
        for (name, page) in pages {
            try Data(page.text.utf8).write(to: folder.url.appendingPathComponent("\(name).html"))
        }
        let wrapper = folder.url.appendingPathComponent("wrapper.html")
        try Data(Self.wrapper(pages.keys.sorted()).utf8).write(to: wrapper)
        let document = try Chromium.document(of: wrapper, profile: folder.url)
        let json = try #require(document.firstMatch(of: /<pre id="measured">(\[.*\])<\/pre>/)).1
        let measured = try JSONDecoder().decode([Measured].self, from: Data(Self.unescaped(json).utf8))
        #expect(measured.count == pages.count * Self.widths.count)
        for page in measured {
            let place = "\(page.page) at \(page.width)"
            #expect(page.scrollWidth <= page.width, "\(place)")
            #expect(page.outside == [], "\(place)")
            #expect(page.touching == [], "\(place)")
            guard !PageTests.withoutPictures.contains(page.page) else { continue }
            #expect(page.pictures > 0 && page.shapes > page.pictures && page.flat == 0, "\(place)")
        }
    }

    private static let widths = [380, 700, 1_000, 1_400]

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    /// A page that loads each page at each width and records its measurements. Scrollable elements may be
    /// wider.
    private static func wrapper(_ names: [String]) -> String {
        let frames = names.flatMap { name in
            widths.map { width in
                "<iframe data-page='\(name)' src='\(name).html' style='width:\(width)px;height:900px;border:0'></iframe>"
            }
        }
        return """
            <!doctype html><meta charset=utf-8><body style="margin:0;width:1500px">\(frames.joined(separator: "\n"))
            <pre id=measured></pre>
            <script>
            const boxOf = (element) => element.getBoundingClientRect();
            const isShown = (element) => boxOf(element).width > 0 && boxOf(element).height > 0;
            const words = (element) => `${element.tagName} ${(element.textContent || '').slice(0, 40)}`;
            function measure(frame) {
              const page = frame.contentDocument, width = frame.clientWidth, outside = [], touching = [];
              for (const folded of page.querySelectorAll('details')) folded.open = true;
              for (const element of page.body.querySelectorAll('*')) {
                if (element.closest('.scroll') && !element.classList.contains('scroll')) continue;
                if (element.closest('title, desc') || !isShown(element)) continue;
                const box = boxOf(element);
                if (box.left < -0.5 || box.right > width + 0.5) outside.push(words(element));
              }
              // Some are for narrow pages, some for wide ones.
              const pictures = [...page.querySelectorAll('svg')].filter((picture) => getComputedStyle(picture).display !== 'none');
              for (const picture of pictures) {
                const frame = boxOf(picture), texts = [...picture.querySelectorAll('text')].filter(isShown);
                for (const [position, text] of texts.entries()) {
                  const box = boxOf(text);
                  if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
                      box.bottom > frame.bottom + 1) outside.push(words(text));
                  for (const other of texts.slice(position + 1)) {
                    const next = boxOf(other);
                    if (box.left < next.right && next.left < box.right && box.top + 2 < next.bottom &&
                        next.top + 2 < box.bottom) touching.push(`${words(text)} / ${words(other)}`);
                  }
                }
              }
              return { page: frame.dataset.page, width, scrollWidth: page.documentElement.scrollWidth, outside, touching,
                pictures: pictures.length, shapes: page.querySelectorAll('svg rect, svg circle, svg line, svg path').length,
                flat: pictures.filter((picture) => !isShown(picture)).length };
            }
            addEventListener('load', () => {
              const measured = [...document.querySelectorAll('iframe')].map(measure);
              document.getElementById('measured').textContent = JSON.stringify(measured);
            });
            </script>
            """
    }
}
