"""Pages read back, and refused where their elements are not closed in order."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "wbr", "img", "source"}


@dataclass
class Element:
    """One element with its attributes and the text in it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    inside: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """Reads a page, and refuses one whose elements are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self._open = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        element = Element(tag, dict(attrs), inside=[item.tag for item in self._open])
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append(Element(tag, dict(attrs), inside=[item.tag for item in self._open]))

    def handle_endtag(self, tag):
        assert self._open.pop().tag == tag

    def handle_data(self, data):
        for element in self._open:
            element.text += data

    def all(self, tag, **attributes):
        return [
            element
            for element in self.elements
            if element.tag == tag
            and all(element.attributes.get(name) == value for name, value in attributes.items())
        ]
