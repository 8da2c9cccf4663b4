"""Style sheet of the application: rounded edges, hairlines, kinds of buttons. Colours come from ``theme/colours``."""

from __future__ import annotations

from toolnote_desktop.desktop.theme.colours import Colours

# Selectors use the dynamic properties `kind`, `state` and `ring` (focus that came by keyboard).
_SHEET = """
QToolTip {{
    background: {card}; color: {text}; border: 1px solid {field}; padding: 4px 8px;
}}
QLabel[kind="title"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[kind="window-head"] {{ font-size: {window_head}px; font-weight: 600; }}
QLabel[kind="heading"], QLabel[kind="section"] {{ font-weight: 600; }}
QLabel[kind="group"] {{ font-size: {small}px; font-weight: 600; color: {dim}; }}
QLabel[kind="attention"] {{ font-size: {small}px; color: {attention_text}; }}
QLabel[kind="second"] {{ color: {dim}; }}
QLabel[kind="small"] {{ font-size: {small}px; color: {dim}; }}
QLabel[kind="good"], QPushButton[kind="name"] {{ color: {added_text}; }}
QLabel[kind="name"] {{ font-family: "{mono}"; font-size: {second}px; color: {dim}; }}

QPushButton {{
    background: {card}; color: {text}; border: 1px solid {edge}; border-radius: 8px;
    padding: 5px 12px; min-height: {line_height}px;
}}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed, QPushButton:open {{ background: {pressed}; }}
QPushButton:disabled {{ color: {faint}; background: transparent; border-color: {line}; }}
QPushButton[ring="true"] {{ border: 2px solid {accent}; padding: 4px 11px; }}
QPushButton::menu-indicator {{ image: none; width: 0px; }}

QPushButton[kind="primary"] {{
    background: {accent}; color: {on_accent}; border-color: {accent}; font-weight: 600;
}}
QPushButton[kind="primary"]:hover {{ background: {accent_strong}; border-color: {accent_strong}; }}
QPushButton[kind="primary"]:pressed {{ background: {accent_strong}; }}
QPushButton[kind="primary"]:disabled {{ background: {pressed}; color: {dim}; border-color: {line}; }}
QPushButton[kind="primary"][ring="true"] {{ border: 2px solid {text}; }}

QPushButton[kind="destructive"] {{ color: {wrong}; }}
QPushButton[kind="text"] {{
    background: transparent; border: 1px solid transparent; color: {accent}; padding: 5px 7px;
}}
QPushButton[kind="text"]:hover {{ background: {hover}; }}
QPushButton[kind="text"]:disabled {{ color: {faint}; }}
QPushButton[kind="text"][ring="true"] {{ border: 2px solid {accent}; padding: 4px 6px; }}

QPushButton[kind="chip"] {{
    border-radius: {chip_radius}px; padding: 3px 11px; min-height: {chip_line}px;
}}
QPushButton[kind="chip"]:checked, QPushButton[kind="chip"][set="true"] {{
    background: {accent_ground}; border-color: {accent}; color: {accent};
}}
QPushButton[kind="chip"][ring="true"] {{ border: 2px solid {accent}; padding: 2px 10px; }}
QPushButton[kind="chip"]:checked[ring="true"], QPushButton[kind="chip"][set="true"][ring="true"] {{
    border: 2px solid {text};
}}

QPushButton[kind="link"], QPushButton[kind="plain-link"], QPushButton[kind="quiet"], QPushButton[kind="attention"] {{
    background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 1px 3px; min-height: 0px;
}}
QPushButton[kind="link"] {{ color: {accent}; padding: 1px -1px; }}
QPushButton[kind="plain-link"] {{ padding: 1px -1px; }}
QPushButton[kind="link"]:hover, QPushButton[kind="plain-link"]:hover {{ text-decoration: underline; }}
QPushButton[kind="quiet"] {{ color: {dim}; font-size: {small}px; }}
QPushButton[kind="attention"] {{ color: {attention_text}; }}
QPushButton[kind="attention"]:hover {{ background: {hover}; }}
QPushButton[kind="quiet"]:hover {{ color: {text}; background: {hover}; }}
QPushButton[kind="name"] {{
    background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 1px 3px; min-height: 0px;
    font-weight: 600; text-align: left;
}}
QPushButton[kind="name"]:hover {{ background: {hover}; }}
QPushButton[kind="quiet"][ring="true"], QPushButton[kind="attention"][ring="true"],
QPushButton[kind="name"][ring="true"] {{
    border: 1px solid {accent}; padding: 1px 3px;
}}
QPushButton[kind="link"][ring="true"], QPushButton[kind="plain-link"][ring="true"] {{
    border: 1px solid {accent}; padding: 1px -1px;
}}
QPushButton[kind="link"]:disabled, QPushButton[kind="quiet"]:disabled {{ color: {faint}; border-color: transparent; }}

QLineEdit {{
    background: {card}; border: 1px solid {field}; border-radius: 8px; padding: 5px 9px; min-height: {line_height}px;
}}
QLineEdit:focus {{ border: 2px solid {accent}; padding: 4px 8px; }}
QLineEdit[state="wrong"] {{ border-color: {wrong}; }}
QLineEdit[kind="bare"], QLineEdit[kind="bare"]:focus {{ background: transparent; border: none; padding: 0px; }}
QLineEdit[kind="name"] {{ padding: 0px 2px; border-radius: 4px; font-weight: 600; min-height: 0px; }}
QLineEdit[kind="name"]:focus {{ border: 1px solid {accent}; padding: 0px 2px; }}
QLineEdit[kind="title"] {{
    background: transparent; border: 1px solid transparent; padding: 0px; border-radius: 6px;
    font-size: {title}px; font-weight: 600;
}}
QLineEdit[kind="title"]:hover {{ border-color: {edge}; background: {card}; }}
QLineEdit[kind="title"]:focus {{ border: 1px solid {accent}; padding: 0px; background: {card}; }}

QFrame[kind="card"] {{ background: {card}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[kind="card"][state="editing"] {{ border: 2px solid {accent}; }}
QFrame[kind="card"][state="off"] {{ background: transparent; border: 1px dashed {edge}; }}
QFrame[kind="quiet-card"] {{ background: transparent; border: 1px solid {line}; border-radius: 8px; }}
QFrame[kind="target"] {{ background: {accent}; border: none; }}
QFrame[kind="hairline"] {{ background: {line}; border: none; }}
QFrame[kind="field"] {{ background: {card}; border: 1px solid {field}; border-radius: 8px; }}
QFrame[kind="field"][state="editing"] {{ border: 2px solid {accent}; }}
QFrame[kind="banner"] {{ background: {side}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[kind="bar"] {{ background: {accent_ground}; border: none; border-top: 1px solid {line}; }}
QFrame[kind="status"] {{ background: {side}; border: none; border-top: 1px solid {line}; }}

QTextEdit, QPlainTextEdit {{ background: transparent; border: none; }}
QTextEdit[kind="view"], QPlainTextEdit[kind="view"] {{
    background: {side}; border: 1px solid {line}; border-radius: 8px; padding: 8px 0px;
}}
QTextEdit[kind="view"][ring="true"], QPlainTextEdit[kind="view"][ring="true"] {{
    border: 2px solid {accent}; border-radius: 6px;
}}
QPlainTextEdit[kind="field"] {{
    background: {card}; border: 1px solid {field}; border-radius: 8px; padding: 4px 6px;
}}
QPlainTextEdit[kind="field"]:focus {{ border: 2px solid {accent}; padding: 3px 5px; }}
QLabel[kind="wrong"] {{ color: {wrong}; }}
QComboBox {{
    background: {card}; border: 1px solid {field}; border-radius: 8px; padding: 5px 28px 5px 10px;
    min-height: {line_height}px;
}}
QComboBox[mirrored="true"] {{ padding: 5px 10px 5px 28px; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox:hover {{ background: {hover}; }}
QComboBox:focus {{ border: 2px solid {accent}; padding: 4px 27px 4px 9px; }}
QComboBox[mirrored="true"]:focus {{ padding: 4px 9px 4px 27px; }}
QComboBox::drop-down {{ border: none; width: 0px; }}
QComboBox QAbstractItemView {{
    background: {card}; color: {text}; border: 1px solid {field}; padding: 4px; outline: none;
    selection-background-color: {accent_ground}; selection-color: {text};
}}
QComboBox QAbstractItemView::item {{ padding: 5px 8px; border-radius: 4px; }}
QComboBox QAbstractItemView::item:selected {{ background: {accent_ground}; color: {text}; }}

QTreeView, QListView, QTableView {{ background: transparent; border: none; outline: none; }}
QHeaderView {{ background: transparent; border: none; }}
QHeaderView::section {{
    background: transparent; border: none; border-bottom: 1px solid {line}; color: {dim};
    font-size: {small}px; font-weight: 600; padding: 7px 0px;
}}
QScrollArea {{ background: transparent; border: none; }}

QListView[kind="choices"] {{ border: 1px solid {line}; border-radius: 8px; padding: 4px; }}
QListView[kind="choices"]::item {{ padding: 4px 8px; border-radius: 6px; color: {text}; }}
QListView[kind="choices"]::item:selected {{ background: {accent_ground}; color: {text}; }}
QListView[kind="choices"]::item:disabled {{ color: {dim}; padding-top: 8px; }}
QPlainTextEdit[kind="guide"] {{ background: {side}; border: 1px solid {line}; border-radius: 8px; padding: 8px 10px; }}
QPlainTextEdit[kind="guide"]:focus {{ border: 1px solid {accent}; }}

QFrame[kind="panel"] {{ background: {side}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[kind="log"] {{ background: {side}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[kind="box"] {{ background: {card}; border: 1px solid {line}; border-radius: 8px; }}
QFrame[kind="toast"] {{ background: {card}; border: 1px solid {field}; border-radius: 8px; }}
QFrame[kind="attention-box"] {{
    background: {attention_ground}; border: 1px solid {attention_line}; border-radius: 8px;
}}
QFrame[kind="wrong-box"] {{ background: {wrong_ground}; border: 1px solid {wrong_line}; border-radius: 8px; }}

QSplitter::handle {{ background: {line}; }}
QSplitter::handle:hover {{ background: {accent}; }}

QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0px; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0px; }}
QScrollBar::handle {{ background: {edge}; border-radius: 3px; }}
QScrollBar::handle:vertical {{ min-height: 32px; margin: 3px 4px 3px 2px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; margin: 2px 3px 4px 3px; }}
QScrollBar::handle:hover {{ background: {faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0px; height: 0px; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}

QMenu {{ background: {card}; color: {text}; border: 1px solid {field}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px 4px 12px; border-radius: 4px; min-height: {line_height}px; }}
QMenu[ticks="true"]::item {{ padding-left: 34px; }}
QMenu::item:selected {{ background: {accent_ground}; color: {text}; }}
QMenu::item:disabled {{ color: {faint}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}
QMenu::indicator {{ width: 0px; }}
"""
_STILL = """
QScrollBar, QProgressBar, QAbstractItemView, QAbstractButton { widget-animation-duration: 0; }
"""
_HIGH_CONTRAST = """
QFrame[kind="bar"] {{ border-top: 2px solid {edge}; }}
QFrame[kind="card"], QFrame[kind="quiet-card"], QFrame[kind="banner"] {{ border-color: {edge}; }}
QFrame[kind="card"][state="editing"] {{ border: 3px solid {accent}; }}
QPushButton[kind="link"] {{ text-decoration: underline; }}
QPushButton[kind="chip"]:checked, QPushButton[kind="chip"][set="true"] {{ border-width: 2px; padding: 2px 10px; }}
QListView[kind="choices"]::item:selected, QMenu::item:selected, QComboBox QAbstractItemView::item:selected {{
    border: 2px solid {accent};
}}
"""


def style_sheet(colours: Colours, text_size: int, fixed_family: str, *, still: bool = False) -> str:
    """Return the application's style sheet for text of ``text_size`` pixels; ``still`` turns animations off."""
    chip_line = text_size + 7
    sheet = _SHEET + (_HIGH_CONTRAST if colours.is_high_contrast else "")
    return (_STILL if still else "") + sheet.format(
        **{name: getattr(colours, name) for name in colours.__struct_fields__},
        accent_strong=_shifted_towards(colours.accent, colours.text),
        mono=fixed_family,
        title=text_size + 9,
        window_head=text_size + 3,
        small=text_size - 1,
        second=text_size - 1,
        line_height=text_size + 7,
        chip_line=chip_line,
        chip_radius=(chip_line + 8) // 2,
    )


def _shifted_towards(first: str, second: str) -> str:
    """Mix 12 % of the second colour into the first."""
    pairs = zip((first[1:3], first[3:5], first[5:7]), (second[1:3], second[3:5], second[5:7]), strict=True)
    return "#" + "".join(f"{round(int(a, 16) * 0.88 + int(b, 16) * 0.12):02x}" for a, b in pairs)
