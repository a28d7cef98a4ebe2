use expect_test::{Expect, expect};
use std::time::{Duration, Instant};

use super::*;

fn convert(html: &str) -> Page {
    let base = Target::parse("https://example.com/docs/page.html?q=1").unwrap();
    page(html, &base, &AtomicBool::new(false))
}

fn check(html: &str, want: Expect) {
    let page = convert(html);
    assert!(!page.cut);
    want.assert_eq(&page.markdown);
}

#[test]
fn inline_and_blocks() {
    check(
        "<h2>A <code>b</code></h2><p>x<br>y <em>e</em> <strong>s</strong><ul><li>one<li>two\
         <ul><li>deep</ul></ul><ol start=3><li>three</ol><blockquote><p>q</blockquote><hr>\
         <dl><dt>term<dd>what it is</dl>",
        expect![[r#"
            ## A `b`

            x
            y *e* **s**

            - one
            - two
              - deep

            3. three

            > q

            - - -

            term

            what it is"#]],
    );
}

#[test]
fn links_and_images() {
    check(
        "<p><a href='other.html'>rel</a> <a href='/root'>root</a> <a href='//cdn.org/x'>scheme</a>\
         <a href='#here'>here</a> <a href='javascript:x()'>js</a> <a href='data:text/html,x'>data</a>\
         <a name=x>no href</a> <a href='mailto:a@b.c'>mail</a> <a href='a b(c).html'>odd</a>\
         <a href='/icon'></a><p><img src=i.png alt='An image'><img src=spacer.gif>\
         <img alt=x src='data:image/png;base64,AAAA'><a href=/p><img src=j.png alt=j></a>\
         <a href=/big><img src=k.png></a><a href=/d><img alt=d src='data:,'></a>\
         <h2><a href='#h'>§</a>Heading<a class=anchor href='#h'>#</a></h2>",
        expect![[r#"
            [rel](https://example.com/docs/other.html) [root](https://example.com/root) [scheme](https://cdn.org/x)here js datano href [mail](mailto:a@b.c) [odd](https://example.com/docs/a%20b\(c\).html)

            ![An image](https://example.com/docs/i.png)[![j](https://example.com/docs/j.png)](https://example.com/p)

            ## Heading"#]],
    );
    check(
        "<base href='https://other.org/x/'><p><a href=y>y</a>",
        expect!["[y](https://other.org/x/y)"],
    );
    check(
        "<base href='javascript:x'><p><a href=y>y</a>",
        expect!["[y](https://example.com/docs/y)"],
    );
}

#[test]
fn code() {
    check(
        "<pre><code class='language-rust hl'>fn <span>main</span>() {\n    &lt;x&gt;  \n\n\n}\n</code></pre>\
         <pre>plain <a href=/x>link</a>\n  two</pre><pre class='lang-c++'>a<br>b</pre>\
         <pre><code>```\nfence\n```</code></pre><pre>\n \n</pre><p>Inline <code>a * b</code>",
        expect![[r#"
            ```rust
            fn main() {
                <x>  


            }
            ```

            ```
            plain link
              two
            ```

            ```c++
            a
            b
            ```

            ````
            ```
            fence
            ```
            ````

            Inline `a * b`"#]],
    );
}

#[test]
fn tables() {
    check(
        "<table><caption>Cap</caption><thead><tr><th>A<th>B</thead><tbody><tr><td>1 | 2<td><p>x</p><p>y\
         <tr><td><a href=/c>c</a></table>\
         <table><tr><td>only<tr><td>one column</table>\
         <table><tr><td>layout<td><table><tr><td>in<td>ner</table></table><table></table>",
        expect![[r#"
            Cap

            | A | B |
            | --- | --- |
            | 1 \| 2 | x y |
            | [c](https://example.com/c) |  |

            only

            one column

            layout

            | in | ner |
            | --- | --- |"#]],
    );
}

#[test]
fn what_is_not_read() {
    check(
        "<script>bad()</script><style>bad{}</style><p>good<nav>bad</nav><svg><title>bad</title>\
         <text>bad</text></svg><button>bad</button><p hidden>bad<p aria-hidden=true>bad\
         <template>bad</template><iframe>bad</iframe><!-- bad --><textarea>bad</textarea>\
         <form><p>good too</form><noscript><p>needs JavaScript</noscript><footer>bad</footer>\
         <div role=navigation>bad</div>",
        expect![[r#"
            good

            good too

            needs JavaScript"#]],
    );
}

#[test]
fn the_content() {
    let long = "Words that are long enough to be a page. ".repeat(8);
    let check = |html: String| {
        let got = convert(&html).markdown;
        assert_eq!(got, long.trim_end(), "{html}");
    };
    check(format!("<div>side</div><main>{long}</main><div>side</div>"));
    check(format!("<div>side</div><div role=main>{long}</div>"));
    check(format!("<div>side</div><div id=content>{long}</div>"));
    check(format!("<div>side</div><article>{long}</article>"));
    check(format!("<div id=content>{long}side<main>{long}</main></div>"));
    check(format!("<main></main><article>{long}</article>"));
    check(format!("<header role=banner>side</header>{long}<footer>side</footer>"));
    let both = convert(&format!("<p>all</p><article>{long}</article><article>{long}</article>"));
    assert!(both.markdown.starts_with("all\n\nWords"));
    let short = convert("<p>all<main>x</main>");
    assert_eq!(short.markdown, "all\n\nx");
}

#[test]
fn titles() {
    let check = |html: &str, want: &str| assert_eq!(convert(html).title, want);
    check("<title>\n A &amp;\tB  C </title>", "A & B C");
    check("<svg><title>icon</title></svg>", "icon");
    check("no title", "");
    check("<title></title>x", "");
    assert!(convert(&format!("<title>{}</title>", "x".repeat(1 << 20))).title.len() <= 1 << 20);
}

/// Pages that are small and would make huge or deep trees, or take very long; `n` is their size.
fn harmful(n: usize) -> Vec<(&'static str, String)> {
    let times = |text: &str, n: usize| text.repeat(n);
    let numbered = |make: fn(usize) -> String, n: usize| (0..n).map(make).collect::<String>();
    vec![
        ("div", times("<div>", n)),
        ("b", times("<b>", n)),
        ("quotes", times("<blockquote>", n) + &times("x\n", n)),
        ("quoted lines", times("<blockquote>", n) + "<pre>" + &times("x\n", n)),
        ("lists", times("<ul><li>", n)),
        ("items", times("<ul><li>", 99) + &times("<li>x", n)),
        ("tables", times("<table><tr><td>", n)),
        ("links", times("<a href=x>", n)),
        ("foreign", times("<svg><g>", n)),
        ("formatting", numbered(|n| format!("<font size={n}><p>x"), n)),
        ("adoption", times("<b><i><u>", n) + &times("</b></i></u>", n)),
        ("attributes", format!("<p {}>x", numbered(|n| format!("a{n} "), n))),
        ("foster", times("<table>", 1) + &times("x<b>y</b>", n)),
        ("inline", times("<b>x</b>", n)),
        ("cells", times("<table><tr>", 1) + &times("<td>x", n)),
        ("rows", times("<table>", 1) + &times("<tr><td>x<td>y", n)),
        ("wide", format!("<table><tr><td>{}<td>x{}", times("y", n), times("<tr><td>a<td>b", n))),
        ("entities", times("&amp", n)),
        ("comment", times("<!--", 1) + &times("-", 10 * n)),
        ("unclosed", times("<p x='", 1) + &times("y", 10 * n)),
        ("nul", times("\0", n)),
        ("templates", times("<template>", n)),
        ("select", times("<select><option>", n)),
        ("headings", times("<h1><h2>", n)),
        ("fences", format!("<pre>{}</pre>", times("`", 10 * n))),
        ("lines", times("x<br>", n)),
    ]
}

fn is_bounded(pages: Vec<(&str, String)>) {
    for (name, html) in pages {
        let start = Instant::now();
        let page = convert(&html);
        println!("{name}: {} → {} in {:?}", html.len(), page.markdown.len(), start.elapsed());
        assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
        assert!(page.markdown.len() < 8 << 20, "{name}: {}", page.markdown.len());
    }
}

#[test]
fn pages_that_mean_harm_are_bounded() {
    is_bounded(harmful(3_000));
}

/// For an optimised build: the most that is read of a page.
#[test]
#[ignore = "takes minutes without optimisation"]
fn pages_that_mean_harm_are_bounded_at_full_size() {
    is_bounded(harmful(1_000_000));
}

#[test]
fn text_beyond_a_limit_of_depth_is_there_without_its_tags() {
    let page =
        convert(&format!("{}<b>deep words</b>{}", "<div>".repeat(1_000), "</div>".repeat(1_000)));
    assert_eq!(page.markdown, "deep words");
    let after = convert(&format!(
        "{}<p>x</p>{}<h2>After</h2>",
        "<div>".repeat(1_000),
        "</div>".repeat(1_000)
    ));
    assert_eq!(after.markdown, "x\n\n## After");
}

#[test]
fn one_long_text_is_cut_and_not_lost() {
    let page = convert(&format!("<p>Before<pre>{}</pre><p>after", "é\n".repeat(1 << 20)));
    assert!(page.cut && page.markdown.len() > 1_000_000, "{}", page.markdown.len());
    assert!(page.markdown.starts_with("Before\n\n```\né\né\n"));
}

#[test]
fn a_stop_is_heard() {
    let base = Target::parse("https://example.com/").unwrap();
    let page = page("<p>x", &base, &AtomicBool::new(true));
    assert_eq!(page, Page { cut: true, ..Page::default() });
}

proptest::proptest! {
    #[test]
    fn no_page_makes_it_fail(html in "(<[/]?(a href=x|b|p|div|table|tr|td|pre|ul|li|svg|math|select|template|title|frameset|form|h1|img alt=a src=b)>|[a-z &;<>\"'`|\\\\é]|\n){0,60}") {
        convert(&html);
    }
}
