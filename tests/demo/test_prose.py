"""The vocabularies are complete, and every sentence can be said."""

from __future__ import annotations

from random import Random

import pytest

from periplus.demo.prose import angles, capital, slug, subjects, write_article


def test_subjects_are_complete() -> None:
    assert len(subjects()) == 8
    hosts = [site[0] for subject in subjects() for site in subject.sites]
    assert len(set(hosts)) == len(hosts) == 48
    topics = [topic for subject in subjects() for topic in subject.topics]
    assert len(set(topics)) == len(topics) == 8 * 18
    for subject in subjects():
        assert all(len(facts) == 3 for facts in subject.topics.values())
        for topic, facts in subject.topics.items():
            assert facts[0].lower().startswith(topic.lower()), "the first fact names its topic: others quote it alone"
            assert all(fact.endswith(".") for fact in facts)


@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.key)
def test_every_topic_from_every_angle(subject) -> None:
    titles = set()
    for angle in angles():
        for topic in subject.topics:
            article = write_article(Random(1), subject, subject.sites[0], topic, angle)
            text = " ".join(paragraph for _, paragraphs in article.sections for paragraph in paragraphs)
            assert "{" not in text
            assert topic in text or capital(topic) in text
            assert article.other in text or capital(article.other) in text
            assert ".." not in text
            titles.add(article.title)
    assert len(titles) == len(angles()) * len(subject.topics)


def test_slug() -> None:
    assert slug("keepers' families") == "keepers-families"
    assert slug("Fresnel lenses") == "fresnel-lenses"
