"""Lists of entries as people save them: recognised, read, and refused with a sentence."""

from __future__ import annotations

import io
import time
import zipfile

import openpyxl
import pytest

from engine.errors import DominoError
from tournaments.countries import country_code
from tournaments.errors.base import explain
from tournaments.lists import columns
from tournaments.lists.encodings import encoding_of
from tournaments.lists.preview import Preview, preview
from tournaments.lists.sheets import read_sheet

ARABIC = (
    "اللاعب 1;اللاعب 2;النادي;الدولة\nأحمد علي;محمد حسن;نادي النيل;مصر\nعمر سعيد;خالد رضا;;الأردن\n"
)
PERSIAN = "بازيکن 1,بازيکن 2,باشگاه\nرضا احمدي,حسين کريمي,چاي\nژاله پورگل,گيتي پاک\n"
SPANISH = "Jugador 1;Jugador 2;Club;País\nJosé Muñoz;Íñigo Peña;Peña Ñandú;España\n"


def read(text: str | bytes, *, kind: str = "pair", encoding: str = "utf-8") -> Preview:
    content = text if isinstance(text, bytes) else text.encode(encoding)
    return preview(content, "list.csv", kind=kind)


def names(found: Preview) -> list[tuple[str, ...]]:
    return [tuple(one.name for one in row.entry.players) for row in found.rows]


def sentences(found: Preview) -> list[str]:
    return [explain(problem) for row in found.rows for problem in row.problems]


@pytest.mark.parametrize(
    ("text", "encoding", "recognised"),
    [
        (ARABIC, "utf-8", "utf-8"),
        (ARABIC, "utf-8-sig", "utf-8"),
        (ARABIC, "utf-16", "utf-16-le"),
        (ARABIC, "utf-16-le", "utf-16-le"),
        (ARABIC, "utf-16-be", "utf-16-be"),
        (SPANISH, "utf-16-be", "utf-16-be"),
        (ARABIC, "cp1256", "windows-1256"),
        (PERSIAN, "cp1256", "windows-1256"),
        (SPANISH, "cp1252", "windows-1252"),
        (SPANISH, "utf-8", "utf-8"),
    ],
)
def test_a_list_reads_the_same_in_every_encoding(text, encoding, recognised):
    found = read(text.encode(encoding))
    assert found.encoding == recognised
    assert names(found) == names(read(text))
    assert not sentences(found)


@pytest.mark.parametrize("name", ["علي", "مها", "رضا", "نور الدين", "لؤي", "ضياء", "ثامر", "هدى"])
def test_one_short_arabic_name_is_enough_to_recognise_windows_1256(name):
    assert encoding_of(f"player\n{name}\n".encode("cp1256")) == "windows-1256"


@pytest.mark.parametrize(
    "name", ["José", "ÁLVAREZ", "Ñuñez", "Ö", "Françoise", "“Los Ñáñez”", "Zoë"]
)
def test_one_short_western_name_is_enough_to_recognise_windows_1252(name):
    assert encoding_of(f"player\n{name}\n".encode("cp1252")) == "windows-1252"


def test_the_reader_can_choose_another_encoding():
    content = "player 1,player 2\nJosé,Ana".encode("cp1252")
    found = preview(content, "a.csv", kind="pair", encoding="windows-1256")
    assert found.encoding == "windows-1256"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_recognised(delimiter):
    found = read(delimiter.join(["Player 1", "Player 2"]) + "\n" + delimiter.join(["Rosa", "Ana"]))
    assert found.delimiter == delimiter
    assert names(found) == [("Rosa", "Ana")]


def test_a_name_in_quotes_may_hold_the_delimiter():
    assert names(read('"Paz, Rosa","Ruiz, Ana"')) == [("Paz, Rosa", "Ruiz, Ana")]


@pytest.mark.parametrize(
    ("headings", "fields"),
    [
        (
            "Player 1,Player 2,Pair name,Club,Country,Seed",
            (
                columns.PLAYER_1,
                columns.PLAYER_2,
                columns.NAME,
                columns.CLUB,
                columns.COUNTRY,
                columns.SEED,
            ),
        ),
        (
            "#,Player 1,Federation number 1,Player 2,Federation number 2",
            (
                columns.IGNORED,
                columns.PLAYER_1,
                columns.NUMBER_1,
                columns.PLAYER_2,
                columns.NUMBER_2,
            ),
        ),
        (
            "م,اسم اللاعب الأول,اسم اللاعب الثاني,اسم الفريق,النادي,البلد",
            (
                columns.IGNORED,
                columns.PLAYER_1,
                columns.PLAYER_2,
                columns.NAME,
                columns.CLUB,
                columns.COUNTRY,
            ),
        ),
        (
            "ردیف,نام بازیکن ۱,نام بازیکن ۲,نام تیم,باشگاه,کشور",
            (
                columns.IGNORED,
                columns.PLAYER_1,
                columns.PLAYER_2,
                columns.NAME,
                columns.CLUB,
                columns.COUNTRY,
            ),
        ),
        (
            "Nº,Pareja,Club,País,Cabeza de serie",
            (columns.IGNORED, columns.BOTH, columns.CLUB, columns.COUNTRY, columns.SEED),
        ),
        (
            "Jugador,Compañero,Nombre latino 1",
            (columns.PLAYER_1, columns.PLAYER_2, columns.LATIN_1),
        ),
    ],
)
def test_headings_are_recognised_in_every_language(headings, fields):
    row = ",".join("x" for _ in fields)
    found = read(f"{headings}\n{row}")
    assert tuple(column.field for column in found.columns) == fields


def test_without_headings_the_content_decides():
    found = read("1;Rosa Paz;Ana Ruiz;Club Sol;Cuba\n2;Eva Gil;Pia Roa;Club Mar;MX")
    assert [column.field for column in found.columns] == [
        columns.IGNORED, columns.PLAYER_1, columns.PLAYER_2, columns.CLUB, columns.COUNTRY,
    ]  # fmt: skip
    assert [row.line for row in found.rows] == [1, 2]


@pytest.mark.parametrize(
    "line", ["Rosa / Ana", "Rosa & Ana", "Rosa - Ana", "Rosa y Ana", "Rosa + Ana", "Rosa و Ana"]
)
def test_a_pair_may_stand_in_one_cell(line):
    assert names(read(line)) == [("Rosa", "Ana")]


def test_a_list_of_single_players_is_read():
    found = read("Name,Number,Club\nRosa,A-17,Sol\nعلی,۱۲,", kind="single")
    assert names(found) == [("Rosa",), ("علی",)]
    assert [row.entry.players[0].number for row in found.rows] == ["A-17", "12"]


def test_seeds_are_read_in_any_digits():
    found = read("Player 1,Player 2,Seed\nRosa,Ana,٣\nEva,Pia,۱۲")
    assert [row.entry.seed for row in found.rows] == [3, 12]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Player 1,Player 2,Club\nRosa,,Sol",
         "Line 2 names only Rosa. A pair is two players: write the other one in column Player 2."),
        ("Player 1,Player 2,Club\n,,Sol",
         "Line 2 has no player. Write the names of both players, or remove the line."),
        ("Pair,Club\nRosa,Sol",
         ("Line 2, column Pair: “Rosa” is one player. Write both players of the pair with a slash"
         " between them, for example “Rosa / Ana”.")),
        ("Rosa,Rosa",
         "Line 1 names Rosa twice. A pair is two different players: correct one name."),
        ("Player 1,Player 2\nRosa,Ana\nEva,ROSA",
         ("Line 3: ROSA is already on line 2. Remove one of the two; if they are two people, give"
         " each a federation number.")),
        ("Player 1,Number 1,Player 2\nRosa,7,Ana\nEva,7,Pia",
         ("Line 3: number 7 stands with Eva here and with Rosa on line 2. A number belongs to one"
         " person: correct one of them.")),
        ("Player 1,Player 2,Country\nRosa,Ana,Atlantis",
         ("Line 2, column Country: “Atlantis” is no country we know. Write its name or its two"
         " letters, for example EG, IR, ES.")),
        ("Player 1,Player 2,Seed\nRosa,Ana,first",
         ("Line 2, column Seed: the seed “first” is no whole number from 1 to 100000. Correct it"
         " or leave it empty.")),
        ("Player 1,Player 2\nRo\x00sa,Ana",
         ("Line 2, column Player 1: “Ro\ufffdsa” has signs that no name has. Choose another"
         " encoding above, or type the cell again.")),
        ("Player 1,Player 2\n...,Ana",
         "Line 2, column Player 1: “...” is no name. Write the name of the player."),
        ("Player 1,Player 2\n" + "R" * 121 + ",Ana",
         "Line 2, column Player 1: “" + "R" * 40 + "…” is too long. At most 120 signs are kept;"
         " shorten it."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_line_column_and_remedy(text, sentence):
    assert sentences(read(text)) == [sentence]


def test_an_empty_player_is_named_by_its_column():
    found = read("Name,Club\n,Sol", kind="single")
    assert sentences(found) == ["Line 2: column Name is empty. Write the name of the player."]


def test_namesakes_of_two_clubs_are_two_people():
    assert not sentences(read("Player 1,Player 2,Club\nAli,Omar,Nile\nAli,Reda,Delta"))


def test_line_numbers_are_those_of_the_file():
    found = read("Player 1,Player 2\n\n\nRosa,Ana\n\nEva,")
    assert [row.line for row in found.rows] == [4, 6]
    assert sentences(found)[0].startswith("Line 6 names only Eva.")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file_empty"),
        (b"\n \n,,,\n", "file_empty"),
        (b"x" * 1_000_001, "file_too_large"),
        (b"a,b\n" * 5001, "too_many_lines"),
        (b"\n" * 900_000, "too_many_lines"),
        (b",".join([b"a"] * 41), "too_many_columns"),
        (b"%PDF-1.7 ...", "file_not_readable"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "file_not_readable"),
        (b"PK\x03\x04 not an archive", "file_not_readable"),
        (b"\x00" * 5000, "file_not_readable"),
    ],
)
def test_what_is_no_list_is_refused_as_a_whole(content, code):
    with pytest.raises(DominoError) as refused:
        read(content)
    assert refused.value.code == code
    assert explain(refused.value)


def test_headings_alone_are_no_list():
    found = read("Player 1,Player 2")
    assert [problem.code for problem in found.problems] == ["only_headings"]


# --- spreadsheets ---------------------------------------------------------------------------


def workbook(*rows: list[object]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def test_a_spreadsheet_is_read():
    content = workbook(
        ["اللاعب 1", "اللاعب 2", "التصنيف"], ["أحمد علي", "عمر", 4.0], [], ["a", "b"]
    )
    found = preview(content, "pairs.xlsx", kind="pair")
    assert names(found) == [("أحمد علي", "عمر"), ("a", "b")]
    assert [row.line for row in found.rows] == [2, 4]
    assert found.rows[0].entry.seed == 4
    assert found.encoding == ""


def test_a_formula_is_not_calculated_but_named():
    found = preview(workbook(["Player 1", "Player 2"], ["Rosa", '=A2&"x"']), "a.xlsx", kind="pair")
    assert sentences(found) == [
        (
            "Line 2, column Player 2: there is a formula without a stored value. Replace it by its"
            " value (copy, then paste values only)."
        )
    ]


def replaced(content: bytes, part: str, text: bytes) -> bytes:
    """Return the workbook with one of its parts replaced."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for one in old.infolist():
            new.writestr(one.filename, text if one.filename == part else old.read(one))
    return written.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
OPENING = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


@pytest.mark.parametrize(
    ("part", "text", "code"),
    [
        (SHEET, b" " * 30_000_000, "file_unpacks_too_large"),
        (SHEET, b"<worksheet", "file_not_readable"),
        (SHEET, OPENING + b'<sheetData><row r="1048576"><c r="A1048576"><v>1</v></c></row>'
         b"</sheetData></worksheet>", "too_many_lines"),
        (SHEET, OPENING + b'<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row>'
         b"</sheetData></worksheet>", "file_empty"),
        (SHEET, b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "' + b"&a;" * 1000
         + b'"><!ENTITY c "' + b"&b;" * 1000 + b'"><!ENTITY d "' + b"&c;" * 1000 + b'">]>'
         + OPENING + b'<sheetData><row r="1"><c t="inlineStr"><is><t>&d;</t></is></c></row>'
         b"</sheetData></worksheet>", "file_not_readable"),
        ("xl/workbook.xml", b"<workbook/>", "file_empty"),
    ],
)  # fmt: skip
def test_a_hostile_spreadsheet_is_refused_in_little_time(part, text, code):
    content = replaced(workbook(["Rosa", "Ana"]), part, text)
    begun = time.process_time()
    with pytest.raises(DominoError) as refused:
        read_sheet(content, "hostile.xlsx")
    assert refused.value.code == code
    assert time.process_time() - begun < 2


def test_a_sheet_that_claims_a_huge_size_is_read_for_what_it_holds():
    claim = (
        OPENING
        + b'<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr">'
        + b"<is><t>Rosa / Ana</t></is></c></row></sheetData></worksheet>"
    )
    found = preview(replaced(workbook(["x"]), SHEET, claim), "big.xlsx", kind="pair")
    assert names(found) == [("Rosa", "Ana")]


@pytest.mark.parametrize(
    ("written", "code"),
    [("EG", "EG"), ("egy", "EG"), ("مصر", "EG"), ("ایران", "IR"), ("España", "ES"),
     ("السعودية", "SA"), ("Cuba", "CU"), ("Atlantis", None)],
)  # fmt: skip
def test_countries_are_known_by_code_and_by_name(written, code):
    assert country_code(written) == code
