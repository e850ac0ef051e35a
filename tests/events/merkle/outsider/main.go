// An outsider's look at a log: everything is judged by golang.org/x/mod/sumdb, which knows nothing of this project.
//
//	main DIRECTORY VKEY [OLD-CHECKPOINT]
//
// Opens the checkpoint as a signed note, authenticates every tile against it, hashes every entry again, proves and
// checks each entry's inclusion and, with an older checkpoint, that the log grew out of it. Prints the size.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const width = 256

// A published log in a directory; its tiles are named as C2SP tlog-tiles has them, without the height.
type published string

func (published) Height() int                         { return 8 }
func (published) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (d published) file(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(d), path))
}
func (d published) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		data, err := d.file(strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

func (d published) bundle(number, wide int64) []byte {
	tile := tlog.Tile{H: 8, L: 0, N: number, W: int(wide)}
	data, err := d.file(strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1))
	must(err)
	return data
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func open(data []byte, vkey string) tlog.Tree {
	verifier, err := note.NewVerifier(vkey)
	must(err)
	signed, err := note.Open(data, note.VerifierList(verifier))
	must(err)
	lines := strings.SplitN(signed.Text, "\n", 2)
	if lines[0] != verifier.Name() {
		log.Fatalf("origin %q of the key %q", lines[0], verifier.Name())
	}
	tree, err := tlog.ParseTree([]byte("go.sum database tree\n" + lines[1])) // the same lines under another first one
	must(err)
	return tree
}

func checkEntries(d published, tree tlog.Tree, reader tlog.HashReader) {
	for first := int64(0); first < tree.N; first += width {
		wide := tree.N - first
		if wide > width {
			wide = width
		}
		rest := bytes.NewReader(d.bundle(first/width, wide))
		for index := first; index < first+wide; index++ {
			var length uint16
			must(binary.Read(rest, binary.BigEndian, &length))
			entry := make([]byte, length)
			_, err := rest.Read(entry)
			must(err)
			proof, err := tlog.ProveRecord(tree.N, index, reader)
			must(err)
			must(tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry)))
		}
		if rest.Len() != 0 {
			log.Fatalf("%d bytes too many in bundle %d", rest.Len(), first/width)
		}
	}
}

func main() {
	d, vkey := published(os.Args[1]), os.Args[2]
	data, err := d.file("checkpoint")
	must(err)
	tree := open(data, vkey)
	reader := tlog.TileHashReader(tree, d) // authenticates each tile it reads against the tree
	checkEntries(d, tree, reader)
	for _, path := range os.Args[3:] {
		data, err := os.ReadFile(path)
		must(err)
		old := open(data, vkey)
		proof, err := tlog.ProveTree(tree.N, old.N, reader)
		must(err)
		must(tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash))
	}
	fmt.Println(tree.N)
}
