"""`cabildo bench load`: its figures, its plot and where it records a run."""

from pathlib import Path
from xml.etree import ElementTree as ET

from deploy.bench.load.plot import Line, Panel, write_plot
from deploy.bench.load.recorded import BEGIN, END, PERFORMANCE, record_report
from deploy.bench.load.samples import Sample, figures, over_time

SVG = "{http://www.w3.org/2000/svg}"


def test_figures_count_requests_with_a_fault() -> None:
    samples = [Sample("move", at, at / 1000, "" if at < 100 else "500") for at in range(1, 101)]
    assert figures(samples) == (100, 1, 51.0, 96.0, 100.0)
    assert figures([]) == (0, 0, 0.0, 0.0, 0.0)


def test_percentiles_of_each_window_stand_at_its_middle() -> None:
    samples = [Sample("move", 10.0, 0.1, ""), Sample("move", 10.4, 0.3, ""), Sample("move", 13.0, 0.2, "")]
    assert [(at, own.p99) for at, own in over_time(samples, 10.0, 2.0)] == [(1.0, 300.0), (3.0, 200.0)]


def test_a_plot_has_its_lines_aim_and_mark_in_place(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    panels = [Panel("a < b", [Line("c & d", [(0, 0), (10, 100)])], 100.0), Panel("empty", [Line("", [])])]
    write_plot(plot, panels, 10.0, 5.0, "half & half")
    root = ET.parse(plot).getroot()
    first, empty = root.findall(f"{SVG}polyline")
    (x1, y1), (x2, y2) = (map(float, corner.split(",")) for corner in first.attrib["points"].split())
    aim, *_ = [line for line in root.findall(f"{SVG}line") if line.attrib["class"] == "aim"]
    mark, *_ = [line for line in root.findall(f"{SVG}line") if line.attrib["class"] == "mark"]
    assert x1 < float(mark.attrib["x1"]) < x2
    assert y2 == float(aim.attrib["y1"]) < y1
    assert empty.attrib["points"] == ""
    assert "half & half" in [text.text for text in root.findall(f"{SVG}text")]
    assert [name.text for name in root.iter(f"{SVG}tspan")] == [" c & d", " "]


def test_a_recorded_run_replaces_the_one_before_it(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"# Before\n\n{BEGIN}\n\nold\n\n{END}\n\n# After\n")
    for _ in range(2):
        record_report(
            page, ["the mix", "| ms | p50 |", "|---|---:|", "| move | 1 |", "| MB (PSS) | Alone |", "REACHED: all"], 1.5
        )
    text = page.read_text()
    assert text.startswith(f"# Before\n\n{BEGIN}\n\nRecorded on ")
    assert text.endswith(f"{END}\n\n# After\n")
    assert "the load average before the run was 1.5." in text
    assert "- the mix\n\n| ms | p50 |\n|---|---:|\n| move | 1 |\n\n| MB (PSS) | Alone |\n\n- REACHED: all\n" in text
    assert "old" not in text


def test_the_page_of_measurements_has_a_place_for_a_run() -> None:
    text = PERFORMANCE.read_text()
    assert (text.count(BEGIN), text.count(END)) == (1, 1)
    assert text.index(BEGIN) < text.index(END)
