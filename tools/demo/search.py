#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small semantic search: embeds sentences and questions with `quire embed` and ranks the sentences by cosine."""
import argparse
import json
import subprocess
import sys

QUESTIONS = ['How do I bake bread?', 'What is happening on the stock market?', 'pets',
             'How does machine learning work?']
SHOWN = 3


def embed(program, model, texts):
    """One unit vector per text, in order."""
    run = subprocess.run([program, 'embed', '--model', model, '--normalize', '--format', 'jsonl'],
                         input='\n'.join(texts) + '\n', stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f'search: {program} embed ended with status {run.returncode}')
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    if [line['index'] for line in lines] != list(range(len(texts))):
        sys.exit(f'search: expected {len(texts)} results in order, found {len(lines)}')
    return [line['embedding'] for line in lines]


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--quire', required=True, help='the quire program')
    parser.add_argument('--model', required=True, help='the folder of the model')
    parser.add_argument('--sentences', required=True, help='a file with one sentence per line')
    parser.add_argument('question', nargs='*', default=QUESTIONS)
    options = parser.parse_args()

    with open(options.sentences, encoding='utf-8') as file:
        sentences = [line.strip() for line in file if line.strip()]
    vectors = embed(options.quire, options.model, sentences + options.question)
    known, asked = vectors[:len(sentences)], vectors[len(sentences):]
    print(f'   {len(sentences)} sentences, {len(known[0])} numbers each')
    for question, wanted in zip(options.question, asked):
        ranked = sorted(((cosine(wanted, vector), text) for vector, text in zip(known, sentences)), reverse=True)
        print(f'\n   ? {question}')
        for score, text in ranked[:SHOWN]:
            print(f'     {score:6.3f}  {text}')


if __name__ == '__main__':
    main()
