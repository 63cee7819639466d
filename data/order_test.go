package data_test

import (
	"go/ast"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

// TestLettersOfOrders finds the letters of all orders in the source. They are different.
func TestLettersOfOrders(t *testing.T) {
	letters := map[string]string{}
	storetest.GoFiles(t, func(name, _ string, file *ast.File) {
		for _, decl := range file.Decls {
			consts, ok := decl.(*ast.GenDecl)
			if !ok || consts.Tok != token.CONST {
				continue
			}
			for _, spec := range consts.Specs {
				value := spec.(*ast.ValueSpec)
				if typed, ok := value.Type.(*ast.Ident); !ok || typed.Name != "Order" {
					if typed, ok := value.Type.(*ast.SelectorExpr); !ok || typed.Sel.Name != "Order" {
						continue
					}
				}
				for i, ident := range value.Names {
					letter := value.Values[i].(*ast.BasicLit).Value
					assert.Empty(t, letters[letter], "%s of %s in %s is taken", letter, ident.Name, name)
					letters[letter] = name + " " + ident.Name
				}
			}
		}
	})
	require.Greater(t, len(letters), 25)
}

func TestNamesOfOrders(t *testing.T) {
	for _, orders := range [][]data.NamedOrder{data.ListingOrders, data.ThreadOrders} {
		names, letters, labels := map[string]bool{}, map[data.Order]bool{}, map[string]bool{}
		for i, o := range orders {
			assert.NotEmpty(t, o.Label)
			names[o.Name], letters[o.Order], labels[o.Label.String()] = true, true, true
			chosen, ok := data.ChosenOrder(orders, o.Name)
			assert.True(t, ok)
			assert.Equal(t, i == 0, chosen == "", "the first is what is usual")
		}
		assert.Len(t, names, len(orders))
		assert.Len(t, letters, len(orders))
		assert.Len(t, labels, len(orders))
		_, ok := data.ChosenOrder(orders, "random")
		assert.False(t, ok)
	}
}
