"""Pages that commands write, taken apart."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """What a page consists of; every element that is opened is closed."""

    VOID = ("meta",)

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.links, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        assert not found.keys() & {"src", "onclick", "style"}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
